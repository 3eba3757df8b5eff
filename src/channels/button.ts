import type { Input, Navigation } from '../conversation/incoming.ts';

/** The meaning of one of our buttons, on the screen it belongs to. */
interface Pressed {
  readonly screenId: number;
  /** Another page of the same screen is no answer to it. */
  readonly does: Input | { readonly type: 'page'; readonly page: number };
  /** Its message tells a result, so it stays when the next screen comes. */
  readonly rests?: true;
}

const WAYS: readonly Navigation[] = ['back', 'menu', 'help'];

/** `callback_data` of a button: places and screen ids only, at most 20 bytes of the 64, and nothing to read in it. */
export const data = {
  choice: (screenId: number, position: number) => `c:${screenId}:${position}`,
  page: (screenId: number, page: number) => `p:${screenId}:${page}`,
  way: (screenId: number, to: Navigation, rests = false) =>
    `${rests ? 'r' : 'n'}:${screenId}:${WAYS.indexOf(to)}`,
  key: (screenId: number, position: number | 'erase') =>
    `k:${screenId}:${position === 'erase' ? 'e' : position}`,
};

/** Reads it back. Undefined for data that no button of ours carries (a client may send anything). */
export function readButton(text: string): Pressed | undefined {
  const [, kind, id, place] = /^([cpnkr]):(\d{1,9}):(\d{1,4}|e)$/.exec(text) ?? [];
  if (!kind || (place === 'e' && kind !== 'k')) return undefined;
  const does = whatDoes(kind, place === 'e' ? 'erase' : Number(place));
  return does && { screenId: Number(id), does, ...(kind === 'r' && { rests: true }) };
}

function whatDoes(kind: string, place: number | 'erase'): Pressed['does'] | undefined {
  if (kind === 'k') return { type: 'tapped', position: place };
  const position = Number(place);
  if (kind === 'c') return { type: 'picked', position };
  if (kind === 'p') return { type: 'page', page: position };
  const to = WAYS[position];
  return to && { type: 'went', to };
}
