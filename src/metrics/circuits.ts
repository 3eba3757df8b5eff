/** Whose calls to the wallet: those that a customer waits for, and the others. */
export type Compartment = 'customers' | 'background';

/** One circuit breaker towards the wallet, by whose and what kind of calls it turns away while it is open. */
export interface Circuit {
  readonly compartment: Compartment;
  readonly calls: string;
  readonly isOpen: boolean;
}

/** What the circuit breakers have said so far, for `/ready` and the metrics. */
export interface Circuits {
  changed(compartment: Compartment, calls: string, isOpen: boolean): void;
  all(): readonly Circuit[];
  /** True while no call that a customer waits for is turned away. */
  areClosed(): boolean;
}

export function createCircuits(): Circuits {
  const known = new Map<string, Circuit>();
  const all = () => [...known.values()];
  return {
    changed: (compartment, calls, isOpen) =>
      void known.set(`${compartment} ${calls}`, { compartment, calls, isOpen }),
    all,
    areClosed: () => !all().some(({ compartment, isOpen }) => isOpen && compartment === 'customers'),
  };
}
