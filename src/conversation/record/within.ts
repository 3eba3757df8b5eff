/** Within how many seconds the outcome of a payment was known, in figures; what took longer has no limit. */
export const WITHIN_S = [10, 60, 300, 3_600, 86_400] as const;
