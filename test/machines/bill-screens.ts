import type { Values } from '../../machines/kit/screen.ts';
import { centimes } from '../../src/wallet/money.ts';
import type { Msisdn } from '../../src/wallet/phone.ts';
import type { BillItem } from '../../src/wallet/services.ts';

export const NAME = 'Régie autonome multi-services de la province (test)';
export const LABEL = "Numéro de contrat tel qu'il est écrit en haut à droite de la dernière facture reçue";
const AT = Date.UTC(2026, 10, 30, 23, 59);

/** Values of sentences about bills, beside the usual ones. */
export const BILL_VALUES: Values = {
  creditor: { name: NAME },
  receivable: { name: NAME },
  search: { text: LABEL },
  option: { text: LABEL },
  label: { text: LABEL },
  above: { text: LABEL },
  value: { text: LABEL },
  size: { count: 10 },
  typed: { code: '00' },
  item: { text: LABEL },
  items: { lines: [{ key: 'bill-payment.option', values: { option: { text: LABEL } } }] },
  facts: { lines: [{ key: 'bill-payment.option', values: { option: { text: LABEL } } }] },
  fixed: { lines: [{ key: 'bill-payment.option', values: { option: { text: LABEL } } }] },
  date: { code: '30/11/2026' },
  kind: { say: 'bill-payment.mandatory' },
  status: { say: 'bill-payment.stateProcessing' },
  contract: { text: LABEL },
  bills: { text: LABEL },
  bill: { text: LABEL },
  due: { text: LABEL },
  holder: { text: NAME },
  paid: { lines: [{ key: 'bill-payment.option', values: { option: { text: LABEL } } }] },
  settlement: { code: 'R289300000001' },
  stampNumber: { code: '20260000123456' },
  stampText: { text: 'Droit de timbre payé sur état' },
};

/** All facts that a bill payment can know, in every combination that changes its screens. */
export function billContexts(
  wallet: Msisdn,
  of: { amount: number; fees: number; outcomes: readonly string[]; name?: string },
) {
  const amount = centimes(of.amount);
  const total = centimes(of.amount + of.fees);
  const item = (type: number): BillItem => ({
    id: '1',
    type,
    description: of.name ? 'Facture 10/2026' : LABEL,
    date: '30/11/2026',
    amount,
  });
  const items = [...Array.from({ length: 12 }, () => item(0)), item(1), item(2), item(3), item(9)];
  const field = { name: 'a', label: LABEL, options: [], required: true } as const;
  const form = [
    { ...field, kind: 'label', name: '' },
    { ...field, kind: 'text', format: 'D' },
    { ...field, kind: 'text', format: 'N', lengthMin: 1 },
    { ...field, kind: 'text', format: 'D', required: false },
    { ...field, kind: 'select', options: Array.from({ length: 20 }, () => LABEL), required: false },
    { ...field, kind: 'password' },
    { ...field, kind: 'label', name: '' },
    { ...field, kind: 'text' },
  ] as const;
  const order = {
    kind: 'bill-payment',
    from: wallet,
    amount,
    creditor: { id: '1001', name: of.name ?? NAME },
    receivable: { id: '01', name: of.name ? 'Eau' : NAME },
    reference: '123456789012',
    all: true,
    items,
    answers: [],
    params: [],
  } as const;
  const quote = { fees: centimes(of.fees), total, openLoop: false, at: AT, alike: [] };
  const payment = { creditor: NAME, amount, status: 'AUTORISE', operationId: 1 };
  const contract = {
    creditor: order.creditor,
    receivable: order.receivable,
    answers: [{ name: 'a', value: '4711001' }],
  };
  const known = {
    wallet,
    keeps: contract,
    creditors: Array.from({ length: 26 }, (_, i) => ({ id: String(i), name: NAME, logo: '/logo.svg' })),
    creditor: order.creditor,
    receivables: Array.from({ length: 12 }, (_, i) => ({ id: String(i), name: NAME })),
    receivable: order.receivable,
    form,
    at: 0,
    answers: [{ name: 'a', value: '4711001' }],
    typed: '0',
    unpaid: {
      reference: order.reference,
      items,
      shown: [
        { label: 'Nom du client', value: of.name ? 'Laila Berrada' : NAME },
        { label: 'Adresse', value: LABEL },
      ],
      params: [],
    },
    chosen: [1, 3],
    payments: [
      { ...payment, at: AT, receivable: NAME, settlement: 'R289300000001', reference: order.reference },
      payment,
    ],
    page: 2,
    size: 2,
    count: 99,
    opened: 0,
    order,
    quote,
    reference: '123456789012',
  };
  const alike = { id: '1', at: AT };
  const settled = { settlement: 'R289300000001' };
  const stamped = { ...settled, stampNumber: '20260000123456', stampText: 'Droit de timbre payé sur état' };
  return [
    ...[0, 1, 2, 3, 4, 5].map((at) => ({ ...known, at, typed: '00', leads: 'menu' })),
    { ...known, search: LABEL, opened: 1, page: 1, chosen: [] },
    { ...known, unpaid: { ...known.unpaid, items: [item(0)], shown: [] } },
    { ...known, contracts: Array.from({ length: 5 }, () => contract), kept: contract },
    { ...known, quote: { ...quote, alike: [alike] } },
    { ...known, quote: { ...quote, alike: [{ ...alike, open: true }] } },
    ...of.outcomes.map((outcome) => ({ ...known, outcome, facts: { second: '123456789012' } })),
    ...[settled, stamped].map((facts) => ({ ...known, outcome: 'succeeded', facts, operationId: 1 })),
  ];
}
