/** Work that goes on after its request was answered, and can be waited for. */
export interface Background {
  /** Lets it go on; a failure is reported, never thrown. */
  add(work: Promise<unknown>, where: string): void;
  /** Resolves once nothing goes on any more, nor anything that followed from it. */
  done(): Promise<void>;
}

export function createBackground(onError: (error: unknown, where: string) => void): Background {
  const going = new Set<Promise<unknown>>();
  return {
    add(work, where) {
      const settled = work.catch((error) => onError(error, where));
      going.add(settled);
      void settled.finally(() => going.delete(settled));
    },
    async done() {
      while (going.size > 0) await Promise.all(going);
    },
  };
}
