import { expect, test } from 'vitest';
import { INSTANTIATIONS_MAX, overBudget, partsOf } from './kit/type-budget.ts';

const figures = (count: number) => `Files:              3168
Types:            847942
Instantiations:  ${count}
Memory used:    1236900K
`;

test.each([
  ['as many as today', figures(2_124_860), undefined],
  ['exactly the budget', figures(INSTANTIATIONS_MAX), undefined],
  [
    'one more than the budget',
    figures(INSTANTIATIONS_MAX + 1),
    /^The types cost 2200001 .*Find the type that grew/,
  ],
  ['figures without instantiations', 'Files:  3399\nTypes:  909898\n', /no longer says "Instantiations"/],
  ['no figures', '', /no longer says "Instantiations"/],
])('the budget of types: %s', (_name, output, refusal) => {
  if (refusal) expect(overBudget(output)).toMatch(refusal);
  else expect(overBudget(output)).toBeUndefined();
});

test('errors of the compiler stand before its figures, and are told apart from them', () => {
  const error = "src/a.ts(1,1): error TS2304: Cannot find name 'x'.\n";
  expect(partsOf(error + figures(1))).toEqual({ errors: error, figures: figures(1) });
  expect(partsOf(error)).toEqual({ errors: error, figures: '' });
});
