import { caseUpdate } from '../cases/update.ts';
import { takeHelpBack } from './ask-for-person.ts';
import type { EffectOf } from './effect.ts';

/** The customer says that their request is settled. One that no adviser has answered needs no rating. */
export const closeCase: EffectOf<'closeCase'> = {
  kind: 'guarded',
  async run(_input, { store, address, request: { asked, rates } }) {
    await takeHelpBack(store, address);
    if (!asked && !rates) return { kind: 'none' };
    return { kind: 'ok', ...(rates && { rates: rates.case }) };
  },

  settle(_known, output, { address, at }) {
    if (output.kind !== 'ok') return { output };
    return { output, caseUpdates: [caseUpdate(at, { what: 'settled', address })], request: {} };
  },
};

/** Takes the customer's rating, which counts once. "Not settled yet" also holds where another person has opened the case again. */
export const rateCase: EffectOf<'rateCase'> = {
  kind: 'guarded',
  async run() {
    return { kind: 'ok' };
  },

  settle(_known, output, { address, at, request: { asked, ...request } }, input) {
    if (!input) return { output };
    const { case: it, answer } = input;
    if (answer === 'notYet')
      return {
        output,
        caseUpdates: [caseUpdate(at, { what: 'notYet', address, case: it })],
        request: { ...request, asked: asked ?? { at, case: it } },
      };
    return {
      output,
      caseUpdates: [caseUpdate(at, { what: 'rated', address, case: it, rating: answer })],
      request,
    };
  },
};
