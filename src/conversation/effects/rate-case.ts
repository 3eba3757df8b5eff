import { caseUpdate } from '../cases/update.ts';
import { takeHelpBack } from './ask-for-person.ts';
import { type EffectOf, withRequest } from './effect.ts';

/** The customer says that their request is settled. One that no adviser has answered needs no rating. */
export const closeCase: EffectOf<'closeCase'> = {
  kind: 'guarded',
  async run(_input, { store, address, request: { asked, rates } }) {
    await takeHelpBack(store, address);
    if (!asked && !rates) return { kind: 'none' };
    return { kind: 'ok', ...(rates && { rates: rates.case }) };
  },

  settle(known, output, env) {
    if (output.kind !== 'ok') return { output };
    const { address, at, request } = env;
    const it = request.asked?.case;
    const settled = caseUpdate(at, { what: 'settled', address, ...(it !== undefined && { case: it }) });
    return { output, caseUpdates: [settled], ...withRequest(known, {}, env) };
  },
};

/** Takes the customer's rating, which counts once. "Not settled yet" also holds where another person has opened the case again. */
export const rateCase: EffectOf<'rateCase'> = {
  kind: 'guarded',
  async run() {
    return { kind: 'ok' };
  },

  settle(known, output, env, input) {
    if (!input) return { output };
    const {
      address,
      at,
      request: { asked, ...request },
    } = env;
    const { case: it, answer } = input;
    if (answer === 'notYet')
      return {
        output,
        caseUpdates: [caseUpdate(at, { what: 'notYet', address, case: it })],
        ...withRequest(known, { ...request, asked: asked ?? { at, case: it } }, env),
      };
    return {
      output,
      caseUpdates: [caseUpdate(at, { what: 'rated', address, case: it, rating: answer })],
      ...withRequest(known, request, env),
    };
  },
};
