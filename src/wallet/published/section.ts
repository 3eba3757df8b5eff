import type { ApiName } from '../contract/api.ts';

/** One section of the Partner API: a text about its operations, and a walk through them that really runs. */
export interface Section {
  /** As in an address: `/llms/customers.md`. */
  readonly id: string;
  readonly title: string;
  readonly about: string;
  /** Every operation of the section in the document's order, each with one sentence. */
  readonly operations: { readonly [Name in ApiName]?: string };
  /** Run from top to bottom against a new sandbox. Needs nothing of other sections. */
  readonly walk: readonly Step[];
}

export type Step = Call | Aside;

interface Part {
  /** Its title, if the sentence of its operation does not say it. */
  readonly title?: string;
  /** Values of the answer that later steps need, by the names they are known by then. */
  readonly keeps?: Readonly<Record<string, Place>>;
}

/** A call of an operation. Strings may hold `{{name}}` for a value kept. A whole `{{=name}}` is one that is no text. */
export interface Call extends Part {
  readonly call: ApiName;
  readonly params?: Fields;
  readonly query?: Fields;
  readonly body?: Fields;
  /** For a call that is to be refused: the HTTP status. */
  readonly refused?: number;
}

/** An act outside the API: a partner reads an SMS, lets time pass, or sends a customer through 3D Secure. */
export interface Aside extends Part {
  /** A description of the event. */
  readonly aside: string;
  readonly method: 'GET' | 'POST';
  /** A path of the sandbox, or an address that it gave. */
  readonly target: string;
  readonly query?: Fields;
  readonly body?: Fields;
  /** In place of a body: the fields that a browser's form would send. */
  readonly form?: Readonly<Record<string, string>>;
}

export type Fields = Readonly<Record<string, unknown>>;

/** The place of a value in an answer: keys and positions, negative ones from the end. `match` takes a part of a text. */
export interface Place {
  readonly at: readonly (string | number)[];
  readonly match?: string;
}

/** In an answer's envelope: `data('operationId')`. */
export function data(...at: (string | number)[]): Place {
  return { at: ['data', ...at] };
}

/** In an answer without envelope: `root('refTxNetwork')`. */
export function root(...at: (string | number)[]): Place {
  return { at };
}

/** The one-time code of the newest SMS to a number, known as `otp` from then on. */
export function readOtp(phone: string): Aside {
  return {
    aside: 'The code that was sent by SMS',
    method: 'GET',
    target: '/sandbox/sms',
    query: { phone },
    keeps: { otp: { at: [0, 'text'], match: '\\d{3}-\\d{3}' } },
  };
}

export const CLOCK = '/sandbox/clock';

/** Everything that is under way settles. */
export function timePasses(seconds: number): Aside {
  return {
    aside: `${seconds} seconds pass`,
    method: 'POST',
    target: CLOCK,
    body: { advanceMs: seconds * 1000 },
  };
}

/** The payer on the page of 3D Secure, at the address that was kept as `redirectionURL`. */
export function confirms3ds(): Aside {
  return {
    aside: 'The payer confirms with the code of 3D Secure',
    method: 'POST',
    target: '{{redirectionURL}}',
    form: { answer: 'confirm', code: '123456' },
  };
}

/** The cast of every walk: people, a merchant and an agent of the sandbox, by the names they have as variables. */
export const CAST: Readonly<Record<string, string>> = {
  customer: '+212600000001',
  recipient: '+212600000002',
  merchant: '+212600000011',
  newcomer: '+212612345678',
  agent: 'PA-1001',
  retailAgent: 'RA-2001',
  rib: '997780000000000000432148',
  pan: '4242424242424242',
};

/** The sandbox's test card, in every body that takes one. */
export const card = {
  firstName: 'Fatima Zahra',
  lastName: 'El Amrani',
  cvv: '123',
  pan: '{{pan}}',
  expiryDate: '3012',
  keepAlive: false,
};
