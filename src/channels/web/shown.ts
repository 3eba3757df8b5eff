import type { Language, Reply } from '../../conversation/incoming.ts';
import type { Renderer } from '../../screen/renderer.ts';

type Screen = Reply['screen'];

/** A screen as the page gets it. */
export interface Shown {
  /** The id its buttons carry; null when the screen is not the conversation's current one. */
  readonly screenId: number | null;
  readonly language: Language;
  readonly direction: 'ltr' | 'rtl';
  readonly text: string;
  readonly choices: readonly { readonly id: string; readonly label: string }[];
  readonly expects: Screen['expects'];
}

/** Writes a screen for the chat page. */
export function shown(
  renderer: Pick<Renderer, 'chat'>,
  of: { readonly screen: Screen; readonly language: Language; readonly screenId?: number },
): Shown {
  const { text, choices, direction } = renderer.chat(of.screen, of.language);
  const { expects } = of.screen;
  return { screenId: of.screenId ?? null, language: of.language, direction, text, choices, expects };
}
