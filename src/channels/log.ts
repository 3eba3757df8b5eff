/** The part of a pino logger that channels use. Only allow-listed fields are ever given to it (docs/safety.md). */
export interface Log {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** What may be logged of a thrown error: its name and where it was thrown. A message may quote what a customer typed. */
export function thrown(error: unknown): { error: string; at: string[] } {
  if (!(error instanceof Error)) return { error: typeof error, at: [] };
  const frames = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '));
  return { error: error.name, at: frames.slice(0, 5).map((line) => line.trim()) };
}
