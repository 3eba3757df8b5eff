import type { Input, Navigation } from '../../conversation/incoming.ts';

/** What one of our buttons does, on the screen it belongs to. */
export interface Pressed {
  readonly screenId: number;
  /** Another page of the same screen is no answer to it. */
  readonly does: Input | { readonly type: 'page'; readonly page: number };
}

const WAYS: readonly Navigation[] = ['back', 'menu', 'help'];

/** `callback_data` of a button: places and screen ids only, at most 20 bytes of the 64, and nothing to read in it. */
export const data = {
  choice: (screenId: number, position: number) => `c:${screenId}:${position}`,
  page: (screenId: number, page: number) => `p:${screenId}:${page}`,
  way: (screenId: number, to: Navigation) => `n:${screenId}:${WAYS.indexOf(to)}`,
  key: (screenId: number, position: number | 'erase') =>
    `k:${screenId}:${position === 'erase' ? 'e' : position}`,
};

/** Reads it back; undefined for what no button of ours carries (a client may send anything). */
export function readButton(text: string): Pressed | undefined {
  const [, kind, id, place] = /^([cpnk]):(\d{1,9}):(\d{1,4}|e)$/.exec(text) ?? [];
  if (!kind || (place === 'e' && kind !== 'k')) return undefined;
  const [screenId, position] = [Number(id), Number(place)];
  switch (kind) {
    case 'c':
      return { screenId, does: { type: 'picked', position } };
    case 'p':
      return { screenId, does: { type: 'page', page: position } };
    case 'k':
      return { screenId, does: { type: 'tapped', position: place === 'e' ? 'erase' : position } };
    default: {
      const to = WAYS[position];
      return to && { screenId, does: { type: 'went', to } };
    }
  }
}
