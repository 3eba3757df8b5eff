/** The owners of calls to the wallet: customers who wait for them, and background work. */
export type Compartment = 'customers' | 'background';

/** One circuit breaker towards the wallet, by whose and what kind of calls it turns away while it is open. */
export interface Circuit {
  readonly compartment: Compartment;
  readonly calls: string;
  readonly isOpen: boolean;
}

/** How full the connections to the wallet are, by whose and what kind of calls they are for. */
export interface Connections {
  readonly compartment: Compartment;
  readonly calls: string;
  readonly busy: number;
  readonly waiting: number;
  readonly max: number;
}

/** The last words of the circuit breakers, for `/ready` and the metrics. */
export interface Circuits {
  changed(compartment: Compartment, calls: string, isOpen: boolean): void;
  all(): readonly Circuit[];
  /** The connections of a compartment were opened. @param use says how full they are */
  opened(compartment: Compartment, use: () => readonly Omit<Connections, 'compartment'>[]): void;
  connections(): readonly Connections[];
  /** True while no call that a customer waits for is turned away. */
  areClosed(): boolean;
}

export function createCircuits(): Circuits {
  const known = new Map<string, Circuit>();
  const all = () => [...known.values()];
  const uses = new Map<Compartment, Parameters<Circuits['opened']>[1]>();
  return {
    changed: (compartment, calls, isOpen) =>
      void known.set(`${compartment} ${calls}`, { compartment, calls, isOpen }),
    all,
    opened(compartment, use) {
      uses.set(compartment, use);
      for (const { calls } of use())
        known.set(`${compartment} ${calls}`, { compartment, calls, isOpen: false });
    },
    connections: () =>
      [...uses].flatMap(([compartment, use]) => use().map((each) => ({ compartment, ...each }))),
    areClosed: () => !all().some(({ compartment, isOpen }) => isOpen && compartment === 'customers'),
  };
}
