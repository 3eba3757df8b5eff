import type { Chart } from '../conversation/desk/chart.ts';

/** Draws one graph, written in DOT, as SVG. */
type Draw = (dot: string) => string;

interface DrawnState {
  readonly lines: readonly string[];
  /** How much of its visitors it loses: 0 to 1. */
  readonly heat: number;
  readonly isBusy?: boolean;
  readonly isMarked?: boolean;
}
/** States that lose more than this are marked, the more the stronger. */
const HEATS = [0.05, 0.15, 0.3] as const;

/** Machines as pictures, laid out by Graphviz (in WebAssembly, loaded with the first). */
export function createDiagrams(chart: (machine: string) => Chart | undefined) {
  let graphviz: Promise<Draw> | undefined;
  return {
    /**
     * The machine as SVG without any style of its own, with words and figures in the states in which customers wait. The
     * arrows have no words, so that nothing lies over them. Undefined where there is no such machine.
     */
    async draw(machine: string, states: ReadonlyMap<string, DrawnState>): Promise<string | undefined> {
      const graph = chart(machine);
      if (!graph) return undefined;
      graphviz ??= loadGraphviz();
      return cleaned((await graphviz)(dotOf(graph, states)));
    },
  };
}

async function loadGraphviz(): Promise<Draw> {
  const { Graphviz } = await import('@hpcc-js/wasm-graphviz');
  const graphviz = await Graphviz.load();
  return (dot) => graphviz.dot(dot, 'svg');
}

/**
 * Calls and decisions are points on the way. Ways back, and resumes after a new dial, are not drawn: they would hide
 * the way on.
 */
function dotOf({ states, arrows, initial }: Chart, drawn: ReadonlyMap<string, DrawnState>): string {
  const nodes = states.map(({ name, does }) => {
    const { lines = [], heat = 0, isBusy, isMarked } = drawn.get(name) ?? {};
    const hot = HEATS.filter((limit) => heat > limit).length;
    const look = [does, hot > 0 && `hot${hot}`, isBusy && 'busy', isMarked && 'now']
      .filter(Boolean)
      .join(' ');
    const label = lines.map((line) => line.replace(/["\\]/g, '')).join('\\n');
    const shape = drawn.has(name)
      ? `shape=box ${does === 'ends' ? 'peripheries=2' : ''}`
      : 'shape=point width=0.1';
    return `"${name}" [id="s_${name}" class="${look}" label="${label}" ${shape}]`;
  });
  const isShown = ({ from, to, on }: Chart['arrows'][number]) =>
    on !== 'resumed' && on !== 'back' && from !== to;
  const ways = new Set(arrows.filter(isShown).map(({ from, to }) => `"${from}" -> "${to}" [class="way"]`));
  return `digraph {
    rankdir=TB nodesep=0.35 ranksep=0.45 bgcolor=transparent
    node [fontname="sans-serif" fontsize=13 height=0.42 margin="0.3,0.08"]
    edge [arrowsize=0.7]
    "${initial}" [penwidth=2]
    ${nodes.join('\n    ')}
    ${[...ways].join('\n    ')}
  }`;
}

/** The picture alone, coloured by the console's style sheet: its own colours, fonts and sizes are left out. */
function cleaned(svg: string): string {
  return svg
    .slice(svg.indexOf('<svg'))
    .replace(/<!--[\s\S]*?-->\s*/g, '')
    .replace(/<title>[^<]*<\/title>\s*/g, '')
    .replace(/ (?:fill|stroke|font-family|font-size|style|xmlns:xlink)="[^"]*"/g, '')
    .replace(/(width|height)="(\d+)pt"/g, '$1="$2"')
    .replace('<svg', '<svg aria-hidden="true"');
}
