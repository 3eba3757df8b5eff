/**
 * The compiler makes 2.1 million instantiations of ours, and no single type makes much of them. Each million more costs six seconds and
 * 450 MB in every type-check. The largest part are tables of tests: it compares the rows of one with each other. `as const` makes a table
 * three times cheaper.
 */
export const INSTANTIATIONS_MAX = 2_200_000;

/** The output of `tsc --extendedDiagnostics`, in two parts: its errors, and the table of figures behind them. */
export function partsOf(output: string): { readonly errors: string; readonly figures: string } {
  const begins = /^Files: +\d+$/m.exec(output)?.index ?? output.length;
  return { errors: output.slice(0, begins), figures: output.slice(begins) };
}

/** The reason why the figures are over the budget, and what to do. Undefined where they are not. */
export function overBudget(figures: string): string | undefined {
  const count = /^Instantiations: +(\d+)$/m.exec(figures)?.[1];
  if (count === undefined)
    return 'tsc --extendedDiagnostics no longer says "Instantiations". Read the figure in test/kit/type-budget.ts where it is now.';
  if (Number(count) <= INSTANTIATIONS_MAX) return undefined;
  return `The types cost ${count} instantiations, and the budget is ${INSTANTIATIONS_MAX}. Find the type that grew: run \`npx tsc --extendedDiagnostics\` without parts of your change. Often an explicit return type, or one named type instead of a computed one, brings it back. If the growth is worth its time, raise INSTANTIATIONS_MAX in test/kit/type-budget.ts and say why in the commit.`;
}
