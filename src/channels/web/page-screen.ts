import { saysMoved } from '../../conversation/chart/releases.ts';
import type { Language, Reply, ShownScreen } from '../../conversation/incoming.ts';
import type { ReceiptText, Renderer, Way } from '../../screen/renderer.ts';
import { CHAT_SQUARE_PIXELS, drawQr } from '../../wallet/qr/draw.ts';
import { type Copyable, copyableIn, withoutAddress } from '../copy.ts';
import { STYLES } from '../styles.ts';
import { documentPath } from './documents.ts';

type Screen = Reply['screen'];

interface AmongOthers {
  /** The ways away from it that the page need not show. */
  readonly idle: readonly Way[];
  /** Ids of events that say the same: a customer who has seen this has seen them. */
  readonly says?: readonly string[];
  /** Another screen follows on its own. */
  readonly underway?: true;
  /** The screen of before that this makes untrue. */
  readonly replaces?: number;
  /** It was said so many ms ago, and has waited since. */
  readonly agoMs?: number;
  /** Events that were on their way come before it. */
  readonly news?: true;
}

/** A screen as the page gets it. */
export interface PageScreen extends AmongOthers {
  /** The id its buttons carry. Null when the screen is not the conversation's current one. */
  readonly screenId: number | null;
  readonly language: Language;
  readonly direction: 'ltr' | 'rtl';
  readonly text: string;
  /** `isRow`: one of the lines of a list, not a way on. `style`: its colour. */
  readonly choices: readonly {
    readonly id: string;
    readonly label: string;
    readonly picture?: string;
    readonly isRow?: true;
    readonly style?: 'success' | 'danger';
  }[];
  readonly expects: Screen['expects'];
  /** Answers besides: a support agent takes files, and an amount changes the one that was refused. */
  readonly takes?: 'files';
  readonly picture?: string;
  /** A picture too, for somebody else to photograph. */
  readonly qr?: string;
  readonly form?: string;
  readonly link?: string;
  readonly document?: string;
  /** A payment as a card: its amount, and its rows in their order. The page may show it in place of the text, which says the same. */
  readonly receipt?: ReceiptText;
  /** A page of the operator's to read first, and what its link is called. */
  readonly reads?: { readonly label: string; readonly url: string };
  /** The kind of that file: a receipt of the wallet's, or a file of a support agent. */
  readonly file?: NonNullable<Screen['document']>['kind'];
  /** The parts of the text that get a button to copy them. A hidden part is copied once it is shown. */
  readonly copies?: readonly Pick<Copyable, 'what' | 'text'>[];
  /** The name of its hidden part, for the button that copies it. */
  readonly hides?: Copyable['what'];
  /** The page keeps nothing of it. */
  readonly isPrivate?: true;
  /** It is seen only once the customer has looked at what it hides. */
  readonly isSecret?: true;
  /** It says that a payment is done: the page may ask for notifications of the next ones. */
  readonly isPaid?: true;
}

/**
 * Writes a screen for the chat page.
 * @param pictureAt the page's address for a picture of the wallet's. Undefined for any other, which the page may not
 *   load
 */
export async function pageScreen(
  renderer: Pick<Renderer, 'chat'>,
  pictureAt: (picture: string) => string | undefined,
  of: {
    readonly screen: Screen;
    readonly language: Language;
    readonly screenId?: number;
    readonly form?: string;
    readonly isSecret?: boolean;
    readonly says?: readonly string[];
    readonly hasMoneyMessage?: true;
    readonly isPrivate?: true;
    readonly underway?: true;
    readonly replaces?: ShownScreen;
    readonly at?: number;
  },
): Promise<PageScreen> {
  const shown = renderer.chat(of.screen, of.language);
  const { text, marked = text, direction, idle, receipt, reads } = shown;
  const { expects, document, link, picture, takesFiles } = of.screen;
  const copyable = copyableIn(of.screen, text);
  const copies = copyable.filter(({ isHidden }) => !isHidden);
  const hidden = copyable.find(({ isHidden }) => isHidden);
  return {
    screenId: of.screenId ?? null,
    language: of.language,
    direction,
    text: withoutAddress(marked, reads),
    choices: choicesOf(of.screen, shown.choices, pictureAt),
    expects,
    idle,
    ...(takesFiles && { takes: 'files' as const }),
    ...(picture && (await pictured(picture, pictureAt))),
    ...(of.form !== undefined && { form: `/form/${of.form}` }),
    ...(link !== undefined && { link }),
    ...(receipt && { receipt }),
    ...(reads && { reads }),
    ...(document && { document: `/chat${documentPath(document)}`, file: document.kind }),
    ...(copies.length > 0 && { copies: copies.map(({ what, text }) => ({ what, text })) }),
    ...(hidden && { hides: hidden.what }),
    ...(of.isPrivate && { isPrivate: true }),
    ...(of.isSecret && { isSecret: true }),
    ...(of.says && { says: of.says }),
    ...(of.screen.expects === 'nothing' && saysMoved(of.screen.key, of.screen.release) && { isPaid: true }),
    ...(of.underway && { underway: true }),
    ...(of.at !== undefined && { agoMs: Math.max(0, Date.now() - of.at) }),
    ...(of.replaces && { replaces: of.replaces.screenId }),
    ...(of.hasMoneyMessage && { news: true }),
  };
}

function choicesOf(
  { choices = [] }: Screen,
  written: ReturnType<Renderer['chat']>['choices'],
  pictureAt: (picture: string) => string | undefined,
): PageScreen['choices'] {
  return written.map(({ id, label, picture }, i) => {
    const address = picture && pictureAt(picture);
    const { key = '', listed: isRow } = choices[i] ?? {};
    const style = STYLES[key];
    return {
      id,
      label,
      ...(address && { picture: address }),
      ...(isRow && { isRow }),
      ...(style && { style }),
    };
  });
}

async function pictured(
  picture: string | { readonly qr: string },
  pictureAt: (picture: string) => string | undefined,
): Promise<Pick<PageScreen, 'picture' | 'qr'>> {
  if (typeof picture === 'string') {
    const address = pictureAt(picture);
    return address ? { picture: address } : {};
  }
  const { png } = (await drawQr(picture.qr, CHAT_SQUARE_PIXELS)) ?? {};
  return png ? { qr: `data:image/png;base64,${Buffer.from(png).toString('base64')}` } : {};
}
