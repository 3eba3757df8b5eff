/** The steps, in seconds, for the time until the outcome of a payment was known. A longer time has no limit. */
export const WITHIN_S = [10, 60, 300, 3_600, 86_400] as const;
