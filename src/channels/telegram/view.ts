/**
 * The channel's note of a chat (`Conversations.screenShown`): which message shows the current screen, and how. It goes into
 * the store with the session's next commit, so that another process can go on in the chat. After a crash, or in a
 * process that is faster, the note is older. A press tells the missing part (`viewAt`), otherwise a menu may stay in
 * the chat.
 */
export interface View {
  readonly message: number;
  readonly screenId: number;
  readonly has: 'nothing' | 'buttons' | 'keypad';
  /** It is a picture with a text under it, which can become another picture but not a text. */
  readonly isPicture: boolean;
  /** It stays as it is: it says how something ended, or another message of ours is below it. */
  readonly isOvertaken: boolean;
  /** The button that shares the customer's number is shown in place of the phone's keyboard. */
  readonly asksContact: boolean;
  /** It says what goes on while a call runs or an outcome is waited for: it goes once that is known. */
  readonly isUnderway: boolean;
}

export type PressedMessage = Pick<View, 'message' | 'screenId' | 'has' | 'isPicture'> & {
  readonly rests?: true | undefined;
};

/** The chat as its note and a press tell it: whose button was pressed is there, unless a newer message is known. */
export function viewAt(note: string | undefined, press: PressedMessage | undefined): string | undefined {
  const view = readView(note);
  if (!press || (view && view.message > press.message)) return note;
  const { rests, ...seen } = press;
  const isNoted = view?.message === press.message;
  return writeView({
    ...seen,
    isOvertaken: rests === true || (isNoted && view.isOvertaken),
    asksContact: view?.asksContact === true,
    isUnderway: isNoted && view.isUnderway,
  });
}

const HAS = { n: 'nothing', b: 'buttons', k: 'keypad' } as const;

/** `4711.12b`, and `p` for a picture, `o` for overtaken, `c` for the contact button, `u` for a call under way. */
export function writeView({ message, screenId, has, ...is }: View): string {
  const flags = `${is.isPicture ? 'p' : ''}${is.isOvertaken ? 'o' : ''}${is.asksContact ? 'c' : ''}${is.isUnderway ? 'u' : ''}`;
  return `${message}.${screenId}${has[0]}${flags}`;
}

/** Undefined for a text that is no note of ours, such as one of another version of Wasl. */
export function readView(text: string | undefined): View | undefined {
  const [, message, screenId, has, p, o, c, u] =
    /^(\d+)\.(\d+)([nbk])(p?)(o?)(c?)(u?)$/.exec(text ?? '') ?? [];
  if (!has) return undefined;
  return {
    message: Number(message),
    screenId: Number(screenId),
    has: HAS[has as keyof typeof HAS],
    isPicture: p !== '',
    isOvertaken: o !== '',
    asksContact: c !== '',
    isUnderway: u !== '',
  };
}
