import { MACHINES } from '../chart/machines.ts';
import type { Chart } from './chart.ts';

type Machine = NonNullable<(typeof MACHINES)[string]>;
type StateNode = Machine['root'];

/** A machine as a graph, from its description alone. Undefined where none has that name. */
export function chartOf(machine: string): Chart | undefined {
  const root = Object.hasOwn(MACHINES, machine) ? MACHINES[machine]?.root : undefined;
  if (!root) return undefined;
  const nodes = Object.values(root.states);
  return {
    machine,
    initial: root.initial.target[0]?.key ?? '',
    states: nodes.map((node) => ({ name: node.key, does: doing(node) })),
    arrows: nodes.flatMap(arrowsFrom),
  };
}

function doing(node: StateNode): Chart['states'][number]['does'] {
  if (node.type === 'final') return 'ends';
  if (node.invoke.length > 0) return 'calls';
  return node.always?.length ? 'decides' : 'asks';
}

/** Lists each way to another state once, however many guards lead there. */
function arrowsFrom(node: StateNode): Chart['arrows'] {
  const ways = [...node.transitions.values(), node.always ?? []]
    .flat()
    .flatMap(({ eventType, target }) =>
      (target ?? [])
        .filter(({ key }) => key !== node.key)
        .map(({ key }) => ({ from: node.key, to: key, on: called(eventType, node) })),
    );
  return [...new Map(ways.map((way) => [`${way.to} ${way.on}`, way])).values()];
}

/** The name of an event for people. XState's own names say how it works inside. */
function called(eventType: string, { invoke }: StateNode): string {
  const src = String(invoke[0]?.src ?? '');
  if (eventType.startsWith('xstate.done.')) return src;
  if (eventType.startsWith('xstate.error.')) return `${src} lost`;
  const after = /^xstate\.after\.(\d+)\./.exec(eventType);
  return after ? `after ${Number(after[1]) / 1000} s` : eventType;
}
