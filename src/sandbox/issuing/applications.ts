import type { z } from 'zod';
import type { Api } from '../../wallet/contract/api.ts';
import { APPLICATION_STATUSES, type ApplicationStatus } from '../../wallet/contract/card-management.ts';
import { type Core, type Handlers, isRefusal, type Refusal, type Request, refuse } from '../core/core.ts';
import { type Condition, pageOf } from '../core/paging.ts';
import type { Customer, Customers } from '../customers/customer.ts';
import { issueCard } from './issue.ts';
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

type Calls =
  | 'listCardPrograms'
  | 'createCardApplication'
  | 'listCardApplications'
  | 'listCustomerCardApplications'
  | 'validateCardApplication'
  | 'rejectCardApplication';

/**
 * Programmes and applications for cards (Partner API v2.3, "Card management (beta)"). Not shown in v2.3: whether a customer
 * may apply twice; here they may.
 */
export function cardApplications(core: Core, customers: Customers): Handlers<Calls> {
  const { db, clock } = core;
  const find = (tenant: number, id: number): Application | Refusal =>
    db.get<Application>('SELECT * FROM cardApplications WHERE tenant = ? AND id = ?', tenant, id) ??
    refuse('applicationUnknown');

  /** The newest come first; not shown in v2.3. */
  function page(
    { page: number, take: size }: Record<'page' | 'take', number>,
    ...where: (Condition | undefined)[]
  ) {
    const paged = { from: 'cardApplications', where, orderBy: 'id DESC', number, size };
    const { rows, count } = pageOf<Application>(db, paged);
    return { collection: rows.map(shown), count };
  }

  /** Decides an application that is pending; `issue` is done only then. */
  function decide(
    { tenant, params }: Pick<Request<Api['validateCardApplication']>, 'tenant' | 'params'>,
    decision: (application: Application) => Decision,
  ) {
    const application = find(tenant.id, params.id);
    if (isRefusal(application)) return application;
    if (application.status !== APPLICATION_STATUSES.PENDING) return refuse('applicationDecided');
    const decided = { ...application, ...decision(application), decidedAt: clock.now() };
    db.run(
      'UPDATE cardApplications SET status = ?, rejectionReason = ?, card = ?, decidedAt = ? WHERE id = ?',
      ...[decided.status, decided.rejectionReason, decided.card, decided.decidedAt, decided.id],
    );
    return shown(decided);
  }

  return {
    /** The same for all partners of the sandbox. */
    listCardPrograms({ query: { page, take } }) {
      const collection = PROGRAMS.slice((page - 1) * take, page * take).map((program) => ({
        ...program,
        isVirtual: isVirtual(program.cardType),
      }));
      return { collection, count: PROGRAMS.length };
    },

    createCardApplication({ tenant, query }) {
      const customer = customers.usable(tenant, query.PhoneNumber);
      if (isRefusal(customer)) return customer;
      if (!PROGRAMS.some(({ id }) => id === query.cardProgramId)) return refuse('programUnknown');
      const id = db.run(
        `INSERT INTO cardApplications (tenant, customer, phone, program, status, createdAt)
         VALUES (?, ?, ?, ?, ?, ?)`,
        ...[tenant.id, customer.id, customer.phone, query.cardProgramId],
        ...[APPLICATION_STATUSES.PENDING, clock.now()],
      );
      const application = find(tenant.id, id);
      return isRefusal(application) ? application : shown(application);
    },

    listCardApplications: ({ tenant, query }) =>
      page(
        query,
        ['tenant = ?', tenant.id],
        query.status === undefined ? undefined : ['status = ?', query.status],
      ),

    listCustomerCardApplications({ tenant, query }) {
      const customer = customers.get(tenant, query.phoneNumber);
      return isRefusal(customer) ? customer : page(query, ['customer = ?', customer.id]);
    },

    /** The card is issued at once. The application of a wallet that was closed has been rejected then. */
    validateCardApplication(request) {
      return decide(request, ({ customer: id, program: wanted }) => {
        const customer = db.get<Customer>('SELECT * FROM customers WHERE id = ?', id);
        const program = PROGRAMS.find((each) => each.id === wanted);
        if (!customer || !program) throw new Error('an application is of a customer, for a programme');
        return { status: APPLICATION_STATUSES.VALIDATED, card: issueCard(core, customer, program) };
      });
    },

    rejectCardApplication(request) {
      const rejectionReason = request.body.reason ?? null;
      return decide(request, () => ({ status: APPLICATION_STATUSES.REJECTED, rejectionReason }));
    },
  };
}

function shown(application: Application): z.input<Api['createCardApplication']['data']> {
  const { customer, phone, program, createdAt, decidedAt, card, ...same } = application;
  return {
    id: same.id,
    customerId: customer,
    phoneNumber: phone,
    cardProgramId: program,
    status: same.status,
    rejectionReason: same.rejectionReason,
    createdAt: new Date(createdAt).toISOString(),
    decidedAt: decidedAt === null ? null : new Date(decidedAt).toISOString(),
    cardId: card,
  };
}
