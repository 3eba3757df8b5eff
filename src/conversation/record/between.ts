/** Machines that come in between, and what they interrupt goes on. */
export const BETWEEN: ReadonlySet<string> = new Set(['help', 'language', 'rating', 'resume']);
