import type { Failures, Line } from '../log/lines.ts';

/** Work that goes on after its request was answered, and can be waited for. */
export interface Background {
  /** Keeps track of the work. A failure is reported by that line, never thrown. */
  add(work: Promise<unknown>, line: Line): void;
  /** Resolves once all of the work has ended, with the work that it has started in turn. */
  done(): Promise<void>;
}

export function createBackground(onError: Failures['onError']): Background {
  const pending = new Set<Promise<unknown>>();
  return {
    add(work, line) {
      const settled = work.catch((error) => onError(error, line));
      pending.add(settled);
      void settled.finally(() => pending.delete(settled));
    },
    async done() {
      while (pending.size > 0) await Promise.all(pending);
    },
  };
}
