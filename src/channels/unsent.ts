/** Errors of a connection that was never made, by their codes. */
const NO_CONNECTION = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH/;

/** True where the provider cannot have seen the request that has thrown this. */
export function isUnsent(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, message, cause } = error as NodeJS.ErrnoException & { cause?: NodeJS.ErrnoException };
  return NO_CONNECTION.test(`${code} ${message} ${cause?.code} ${cause?.message}`);
}
