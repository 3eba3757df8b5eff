import { assign } from 'xstate';
import { readPhone } from '../src/wallet/phone.ts';
import type { NewRetailAgent, RetailAgentChange, RetailAgentFile } from '../src/wallet/services.ts';
import { type Authenticating, authentication } from './kit/authentication.ts';
import { conversation, known, last, machine } from './kit/conversation.ts';
import { readCin, readName } from './kit/identity.ts';
import { readBeneficiary } from './kit/name.ts';
import { parts } from './kit/parts.ts';
import { OTHER_PAGES } from './kit/received-payment.ts';
import type { Choice, Screen } from './kit/screen.ts';
import type { SentenceKey } from './kit/sentence-key.ts';
import { orTell, phoneIn } from './kit/typed.ts';

interface Managing extends Authenticating {
  page: number;
  agents?: readonly RetailAgentFile[];
  isLast?: boolean;
  chosen?: RetailAgentFile | undefined;
  field?: Field | undefined;
  to?: RetailAgentChange | undefined;
  /** The one who is being opened, as far as they are known. */
  fresh?: Partial<NewRetailAgent> | undefined;
}

const FIELDS = ['name', 'phone', 'address'] as const;
type Field = (typeof FIELDS)[number];

/** Longer than any address on an envelope. */
const ADDRESS_CHARS_MAX = 100;

const { call, typed, choose, decide, state } = parts<Managing>();
const tradeNameIn = (text: string) => orTell(readBeneficiary(text), { key: 'principal-agents.notAName' });
const nameIn = (text: string) => orTell(readName(text), { key: 'onboarding.notAName' });
const cinIn = (text: string) => orTell(readCin(text), { key: 'onboarding.notACin' });
const addressIn = (text: string) =>
  orTell(text.trim().length <= ADDRESS_CHARS_MAX ? readAddress(text) : undefined, {
    key: 'principal-agents.notAnAddress',
  });
const ASK: Readonly<Record<Field, SentenceKey>> = {
  name: 'principal-agents.askTradeName',
  phone: 'principal-agents.askPhone',
  address: 'principal-agents.askAddress',
};
/** Nobody knows whether the wallet has done it: what it lists now says so. */
const LOOKED_UP = {
  target: 'reading',
  know: () => ({ notice: { key: 'principal-agents.notKnown' } as const }),
};

/**
 * The retail agents of the principal agent: list, view, change, open. The API deletes none. An agent's number serves
 * customers with the float. So this conversation only requests a number, behind the PIN, and two administrators approve
 * it.
 */
export const principalAgents = machine<Managing>({
  id: 'principal-agents',
  context: ({ input: { wallet } }) => ({ wallet: known(wallet), page: 1 }),
  initial: 'reading',
  states: {
    reading: call('readRetailAgents', {
      says: 'principal-agents.moment',
      input: ({ wallet, page }) => ({ wallet, page }),
      ok: {
        target: 'listing',
        know: (read) => ({ ...read, chosen: undefined, field: undefined, to: undefined, fresh: undefined }),
      },
      failed: 'unavailable',
    }),
    listing: state({
      shows: list,
      chose: choose(
        { if: 'open', target: 'askingPhone' },
        {
          if: (choice) => choice in OTHER_PAGES,
          target: 'reading',
          know: (choice, context) => ({ page: Math.max(1, context.page + (OTHER_PAGES[choice] ?? 0)) }),
        },
        {
          target: 'showing',
          know: (choice, { agents = [] }) => ({ chosen: agents.find(({ code }) => code === choice) }),
        },
      ),
      back: [
        {
          guard: ({ context }) => context.page > 1,
          target: 'reading',
          actions: assign({ page: 1 }),
        },
        { target: 'left' },
      ],
    }),
    showing: state({
      shows: ({ chosen }) => agentScreen(known(chosen)),
      chose: choose({
        target: 'askingChange',
        know: (choice) => ({ field: FIELDS.find((each) => each === choice) }),
      }),
      back: 'listing',
    }),
    askingChange: state({
      shows: ({ field }) => ({
        key: ASK[known(field)],
        expects: field === 'phone' ? 'phone' : field === 'address' ? 'field' : 'name',
      }),
      said: typed((text, { field }) => changeIn(text, known(field)), {
        target: 'deciding',
        know: (to) => ({ to }),
      }),
      back: 'showing',
    }),
    deciding: decide({ if: (context) => context.to?.phone === undefined, target: 'changing' }, 'askingPin'),
    ...authentication<Managing>(prompt, { next: 'proven', back: 'listing' }),
    proven: decide('proposing'),
    proposing: call('askForRetailAgent', {
      says: 'principal-agents.moment',
      input: ({ wallet, chosen, to, fresh }) => ({
        wallet,
        wish:
          to?.phone === undefined ? { open: whole(fresh) } : { code: known(chosen).code, phone: to.phone },
      }),
      ok: 'asked',
      tooMany: { target: 'listing', know: () => ({ notice: { key: 'principal-agents.tooMany' } }) },
      inVain: {
        target: 'listing',
        know: ({ why }) => ({ notice: { key: `principal-agents.inVain-${why}` } as const }),
      },
      failed: 'listing',
      lost: 'listing',
    }),
    changing: call('changeRetailAgent', {
      says: 'principal-agents.moment',
      input: ({ wallet, chosen, to: { phone: _givenByTwo, ...to } = {} }) => ({
        wallet,
        code: known(chosen).code,
        to,
      }),
      ok: {
        target: 'reading',
        know: (_, { chosen }) => ({
          notice: { key: 'principal-agents.changed', values: { code: { code: known(chosen).code } } },
        }),
      },
      unknown: LOOKED_UP,
      failed: 'askingChange',
      lost: LOOKED_UP,
    }),
    askingPhone: state({
      shows: () => ({ key: 'principal-agents.askPhone', expects: 'phone' }),
      said: typed(phoneIn, {
        target: 'askingTradeName',
        know: (phone) => ({ fresh: { phone }, to: undefined }),
      }),
      back: 'listing',
    }),
    askingTradeName: askingField('principal-agents.askTradeName', tradeNameIn, 'name', {
      next: 'askingFirstName',
      back: 'askingPhone',
    }),
    askingFirstName: askingField('principal-agents.askFirstName', nameIn, 'firstName', {
      next: 'askingLastName',
      back: 'askingTradeName',
    }),
    askingLastName: askingField('principal-agents.askLastName', nameIn, 'lastName', {
      next: 'askingCin',
      back: 'askingFirstName',
    }),
    askingCin: askingField('principal-agents.askCin', cinIn, 'cin', {
      next: 'askingAddress',
      back: 'askingLastName',
      expects: 'nationalId',
    }),
    askingAddress: askingField('principal-agents.askAddress', addressIn, 'address', {
      next: 'reviewing',
      back: 'askingCin',
      expects: 'field',
    }),
    reviewing: state({
      shows: ({ fresh }) => review(whole(fresh)),
      chose: choose({ if: 'open', target: 'askingPin' }, { target: 'reading' }),
      back: 'askingAddress',
    }),
    asked: last('principal-agents.asked'),
    unavailable: last('principal-agents.unavailable'),
    left: { type: 'final', output: { next: 'principal' } },
  },
});

/** A state that asks for one more of what a new agent is known by. */
function askingField(
  key: SentenceKey,
  read: typeof nameIn,
  field: Exclude<keyof NewRetailAgent, 'phone' | 'email'>,
  {
    next,
    back,
    expects = 'name',
  }: { readonly next: string; readonly back: string; readonly expects?: Screen['expects'] },
) {
  return conversation<Managing>().createStateConfig(
    state({
      shows: () => ({ key, expects }),
      said: typed(read, {
        target: next,
        know: (said, { fresh }) => ({ fresh: { ...fresh, [field]: said } }),
      }),
      back,
    }),
  );
}

/** The purpose named where the PIN is asked: the agent who gets the float. */
function prompt({ to, chosen, fresh }: Managing): Screen {
  if (!to) {
    const { name, phone } = whole(fresh);
    return {
      key: 'principal-agents.askPinOpen',
      values: { name: { name }, phone: { phone } },
      expects: 'pin',
    };
  }
  const { code } = known(chosen);
  const values = { code: { code }, phone: { phone: known(to.phone) } };
  return { key: 'principal-agents.askPin', values, expects: 'pin' };
}

function whole(fresh: Partial<NewRetailAgent> = {}): NewRetailAgent {
  const { phone, name, firstName, lastName, cin, ...more } = fresh;
  return {
    ...more,
    phone: known(phone),
    name: known(name),
    firstName: known(firstName),
    lastName: known(lastName),
    cin: known(cin),
  };
}

function changeIn(text: string, field: Field) {
  if (field === 'phone') return orTell(phoneChange(text), { key: 'mobile.notANumber' });
  const read = field === 'name' ? tradeNameIn(text) : addressIn(text);
  return read.ok ? { ok: true as const, value: { [field]: read.value } } : read;
}

function phoneChange(text: string): RetailAgentChange | undefined {
  const phone = readPhone(text);
  return phone && { phone };
}

function readAddress(text: string): string | undefined {
  const address = text.normalize('NFC').replace(/\s+/g, ' ').trim();
  return /\p{L}{2}/u.test(address) ? address : undefined;
}

function list({ agents = [], page, isLast }: Managing): Screen {
  const choices: Choice[] = agents.map(({ code, name }) => ({
    id: code,
    key: 'principal-agents.line',
    values: { code: { code }, name: { name } },
    listed: true,
  }));
  return {
    key: agents.length > 0 ? 'principal-agents.list' : 'principal-agents.none',
    choices: [
      ...choices,
      ...(isLast ? [] : [{ id: 'older', key: 'principal-agents.next' } as const]),
      ...(page > 1 ? [{ id: 'newer', key: 'principal-agents.previous' } as const] : []),
      { id: 'open', key: 'principal-agents.open' },
    ],
    expects: 'choice',
  };
}

function agentScreen({ code, name, phone, person, address }: RetailAgentFile): Screen {
  return {
    key: 'principal-agents.shown',
    values: {
      code: { code },
      name: { name },
      more: {
        lines: [
          ...(phone ? [{ key: 'principal-agents.ofPhone', values: { phone: { phone } } } as const] : []),
          ...[person, address].flatMap((text) =>
            text === undefined ? [] : [{ key: 'agent-record.line', values: { text: { text } } } as const],
          ),
        ],
      },
    },
    choices: [
      { id: 'name', key: 'principal-agents.changeName' },
      { id: 'phone', key: 'principal-agents.changePhone' },
      { id: 'address', key: 'principal-agents.changeAddress' },
    ],
    expects: 'choice',
  };
}

function review({ phone, name, firstName, lastName, cin, address = '' }: NewRetailAgent): Screen {
  return {
    key: 'principal-agents.review',
    values: {
      phone: { phone },
      name: { name },
      person: { name: `${firstName} ${lastName}` },
      cin: { code: cin },
      address: { text: address },
    },
    choices: [
      { id: 'open', key: 'principal-agents.open' },
      { id: 'cancel', key: 'pay.cancel' },
    ],
    expects: 'choice',
  };
}
