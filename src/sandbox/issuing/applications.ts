import type { z } from 'zod';
import type { Api } from '../../wallet/contract/api.ts';
import { APPLICATION_STATUSES, type ApplicationStatus } from '../../wallet/contract/card-management.ts';
import type { Core, Request, SomeHandlers, Tenant } from '../core/core.ts';
import { type Condition, pageOf } from '../core/paging.ts';
import { refuse } from '../core/refusal.ts';
import { customerById, getCustomer, usableCustomer } from '../customers/customer.ts';
import { issueCard } from './card.ts';
import { isVirtual, PROGRAMS } from './programs.ts';

/** An application for a card as a row. */
interface Application {
  readonly id: number;
  readonly customer: number;
  readonly phone: string;
  readonly program: number;
  readonly status: ApplicationStatus;
  readonly rejectionReason: string | null;
  readonly createdAt: number;
  readonly decidedAt: number | null;
  readonly card: number | null;
}
type Decision = Partial<Pick<Application, 'rejectionReason' | 'card'>> & Pick<Application, 'status'>;

/**
 * Programmes and applications for cards (Partner API v2.3, "Card management (beta)"). Not shown in v2.3: whether a customer
 * may apply twice. Here they may.
 */
export const cardApplications = {
  /** The same for all partners of the sandbox. */
  listCardPrograms(_core, { query: { page, take } }) {
    const collection = PROGRAMS.slice((page - 1) * take, page * take).map((program) => ({
      ...program,
      isVirtual: isVirtual(program.cardType),
    }));
    return { collection, count: PROGRAMS.length };
  },

  createCardApplication(core, { tenant, query }) {
    const customer = usableCustomer(core, tenant, query.PhoneNumber);
    if (!PROGRAMS.some(({ id }) => id === query.cardProgramId)) refuse('programUnknown');
    const id = core.db.insert('cardApplications', {
      tenant: tenant.id,
      customer: customer.id,
      phone: customer.phone,
      program: query.cardProgramId,
      status: APPLICATION_STATUSES.PENDING,
      createdAt: core.clock.now(),
    });
    return applicationAnswer(find(core, tenant, id));
  },

  listCardApplications: (core, { tenant, query }) =>
    page(
      core,
      query,
      ['tenant = ?', tenant.id],
      query.status === undefined ? undefined : ['status = ?', query.status],
    ),

  listCustomerCardApplications(core, { tenant, query }) {
    const customer = getCustomer(core, tenant, query.phoneNumber);
    return page(core, query, ['customer = ?', customer.id]);
  },

  /** The card is issued at once. The application of a wallet that was closed has been rejected then. */
  validateCardApplication(core, request) {
    return decide(core, request, ({ customer: id, program: wanted }) => {
      const customer = customerById(core, id);
      const program = PROGRAMS.find((each) => each.id === wanted);
      if (!customer || !program) throw new Error('an application is of a customer, for a programme');
      return { status: APPLICATION_STATUSES.VALIDATED, card: issueCard(core, customer, program) };
    });
  },

  rejectCardApplication(core, request) {
    const rejectionReason = request.body.reason ?? null;
    return decide(core, request, () => ({ status: APPLICATION_STATUSES.REJECTED, rejectionReason }));
  },
} satisfies SomeHandlers;

function find({ db }: Core, tenant: Tenant, id: number): Application {
  const sql = 'SELECT * FROM cardApplications WHERE tenant = ? AND id = ?';
  return db.get<Application>(sql, tenant.id, id) ?? refuse('applicationUnknown');
}

/** The newest come first. Not shown in v2.3. */
function page(
  core: Core,
  { page: number, take: size }: Record<'page' | 'take', number>,
  ...where: (Condition | undefined)[]
) {
  const paged = { from: 'cardApplications', where, orderBy: 'id DESC', number, size };
  const { rows, count } = pageOf<Application>(core.db, paged);
  return { collection: rows.map(applicationAnswer), count };
}

/** Decides an application that is pending. `decision` is made only then. */
function decide(
  core: Core,
  { tenant, params }: Pick<Request<Api['validateCardApplication']>, 'tenant' | 'params'>,
  decision: (application: Application) => Decision,
) {
  const application = find(core, tenant, params.id);
  if (application.status !== APPLICATION_STATUSES.PENDING) refuse('applicationDecided');
  const decided = { ...application, ...decision(application), decidedAt: core.clock.now() };
  const { id, status, rejectionReason, card, decidedAt } = decided;
  core.db.update('cardApplications', id, { status, rejectionReason, card, decidedAt });
  return applicationAnswer(decided);
}

function applicationAnswer(application: Application): z.input<Api['createCardApplication']['data']> {
  const { customer, phone, program, createdAt, decidedAt, card, id, status, rejectionReason } = application;
  return {
    ...{ id, status, rejectionReason },
    customerId: customer,
    phoneNumber: phone,
    cardProgramId: program,
    createdAt: new Date(createdAt).toISOString(),
    decidedAt: decidedAt === null ? null : new Date(decidedAt).toISOString(),
    cardId: card,
  };
}
