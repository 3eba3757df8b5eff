import type { Chart } from '../conversation/desk/chart.ts';

/** Draws one graph, written in DOT, as SVG. */
type Draw = (dot: string) => string;

/** How a machine's states are drawn, by what happens there. */
const SHAPES: Readonly<Record<Chart['states'][number]['does'], string>> = {
  asks: 'shape=box',
  calls: 'shape=box style=dashed',
  decides: 'shape=diamond',
  ends: 'shape=box peripheries=2',
};

export interface Diagrams {
  /**
   * The machine with the state that it is in lit and the way that was taken marked, as SVG without any style of its own;
   * undefined where there is no such machine.
   * @param path the states that were passed, the earliest first; the last one is the current one
   */
  draw(machine: string, path: readonly string[]): Promise<string | undefined>;
  /** The machine with figures in its states: the ways alone, so that nothing lies over them. */
  count(machine: string, figures: ReadonlyMap<string, StateCount>): Promise<string | undefined>;
}

/** What is written into a state, and how much of its visitors it loses: 0 to 1. */
export interface StateCount {
  readonly lines: readonly string[];
  readonly heat: number;
}
/** States that lose more than this are marked, the more the stronger. */
const HEATS = [0.05, 0.15, 0.3] as const;

/** Machines as pictures. Each is laid out once (Graphviz, in WebAssembly, loaded with the first); only marks are added later. */
export function createDiagrams(chart: (machine: string) => Chart | undefined): Diagrams {
  const drawn = new Map<string, string>();
  let graphviz: Promise<Draw> | undefined;

  return {
    async draw(machine, path) {
      const graph = chart(machine);
      if (!graph) return undefined;
      graphviz ??= loadGraphviz();
      const draw = await graphviz;
      const svg = drawn.get(machine) ?? cleaned(draw(dotOf(graph)));
      drawn.set(machine, svg);
      return marked(svg, graph, path);
    },
    async count(machine, figures) {
      const graph = chart(machine);
      if (!graph) return undefined;
      graphviz ??= loadGraphviz();
      return cleaned((await graphviz)(countedDot(graph, figures)));
    },
  };
}

async function loadGraphviz(): Promise<Draw> {
  const { Graphviz } = await import('@hpcc-js/wasm-graphviz');
  const graphviz = await Graphviz.load();
  return (dot) => graphviz.dot(dot, 'svg');
}

/** Ways back are drawn fainter, and what a new dial resumes is not drawn: it would hide the way on. */
function dotOf({ states, arrows, initial }: Chart): string {
  const nodes = states.map(({ name, does }) => `"${name}" [id="s_${name}" class="${does}" ${SHAPES[does]}]`);
  const shown = arrows.filter(({ on }) => on !== 'resumed');
  const between = Map.groupBy(shown, ({ from, to }) => `"${from}" -> "${to}"`);
  const edges = [...between].map(([way, all]) => {
    const [{ from, to } = { from: '', to: '' }] = all;
    const on = [...new Set(all.map(({ on }) => on))].filter(Boolean).join('\\n');
    const isBack = all.every(({ on }) => on === 'back');
    return `${way} [id="w_${from}_${to}" label="${on}" class="${isBack ? 'back' : 'way'}" ${isBack ? 'constraint=false' : ''}]`;
  });
  return `digraph {
    rankdir=TB nodesep=0.3 ranksep=0.4 bgcolor=transparent
    node [fontname="sans-serif" fontsize=13 height=0.42 margin="0.14,0.06"]
    edge [fontname="sans-serif" fontsize=10 arrowsize=0.7]
    "${initial}" [penwidth=2]
    ${nodes.join('\n    ')}
    ${edges.join('\n    ')}
  }`;
}

function countedDot({ states, arrows, initial }: Chart, figures: ReadonlyMap<string, StateCount>): string {
  const nodes = states.map(({ name, does }) => {
    const { lines = [name], heat = 0 } = figures.get(name) ?? {};
    const hot = HEATS.filter((limit) => heat > limit).length;
    const label = lines.map((line) => line.replace(/["\\]/g, '')).join('\\n');
    const shape = figures.has(name) ? 'shape=box' : 'shape=point width=0.1';
    return `"${name}" [id="s_${name}" class="${does}${hot > 0 ? ` hot${hot}` : ''}" label="${label}" ${shape}]`;
  });
  const isShown = ({ from, to, on }: Chart['arrows'][number]) =>
    on !== 'resumed' && on !== 'back' && from !== to;
  const ways = new Set(arrows.filter(isShown).map(({ from, to }) => `"${from}" -> "${to}" [class="way"]`));
  return `digraph {
    rankdir=TB nodesep=0.3 ranksep=0.4 bgcolor=transparent
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

function marked(svg: string, graph: Chart, path: readonly string[]): string {
  const now = path.at(-1);
  let after = svg;
  const mark = (id: string, as: string) => {
    after = after.replace(new RegExp(`(id="${id}" class=")`), `$1${as} `);
  };
  const passed = path.flatMap((to, i) =>
    i === 0 ? [to] : wayBetween(graph, path[i - 1] ?? to, to).slice(1),
  );
  for (const state of new Set(passed)) mark(`s_${state}`, state === now ? 'now' : 'passed');
  for (const way of new Set(passed.slice(1).map((to, i) => `w_${passed[i]}_${to}`))) mark(way, 'passed');
  return after;
}

/** Records know only where customers wait. Between two such states lie calls and decisions: the shortest way leads there. */
function wayBetween({ states, arrows }: Chart, from: string, to: string): readonly string[] {
  const isPassedThrough = new Set(
    states.filter(({ does }) => does === 'calls' || does === 'decides').map(({ name }) => name),
  );
  const ways: string[][] = [[from]];
  const seen = new Set<string>();
  for (const way of ways) {
    const last = way.at(-1);
    for (const arrow of arrows) {
      if (arrow.from !== last) continue;
      if (arrow.to === to) return [...way, to];
      if (!isPassedThrough.has(arrow.to) || seen.has(arrow.to)) continue;
      seen.add(arrow.to);
      ways.push([...way, arrow.to]);
    }
  }
  return [from, to];
}
