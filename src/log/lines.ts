/*
 * Every line that the log can have, by what it says. A line that fails something says too what Wasl did about it, and what an operator
 * can do: a section of docs/operator/runbooks.md, or a sentence. Nothing else is ever logged, and fields are of closed lists (docs/safety.md).
 */

/**
 * The data of a line besides its text. Fields come from closed lists, but for `id`, which names a thing and never a
 * customer.
 */
export type Fields = Readonly<Record<string, unknown>>;

/** Takes lines. Lines that come again and again are counted (`repeats.ts`). */
export interface Log {
  say(line: Line, fields?: Fields): void;
  /** Says that the trouble of this line is over, where its beginning was said. */
  over(line: Line, fields?: Fields): void;
}

/** Failures that come and go by themselves. */
export interface Failures {
  readonly onError: (error: unknown, line: Line, fields?: Fields) => void;
  readonly onBack: (line: Line) => void;
}

export interface Row {
  readonly level: 'info' | 'warn' | 'error';
  readonly did?: string;
  readonly todo?: string;
  /** Each is written, for it is about one thing. Others are counted while they come again. */
  readonly each?: true;
  /** Wasl says when it is over. Others are over when none has come for a minute. */
  readonly ends?: true;
}
type More = Pick<Row, 'each' | 'ends'>;

const EACH: More = { each: true };
const ENDS: More = { ends: true };
const NEVER = 'nothing, unless it comes again and again';

function row(level: Row['level'], did: string, todo: string, more: More = {}): Row {
  return { level, did, todo: todo.startsWith('#') ? `docs/operator/runbooks.md${todo}` : todo, ...more };
}
const error = (did: string, todo: string, more?: More) => row('error', did, todo, more);
const warn = (did: string, todo: string, more?: More) => row('warn', did, todo, more);
/** News of which nothing failed. */
const NEWS: Row = { level: 'info', ...EACH };

const STARTS = {
  'Wasl starts': NEWS,
  'Wasl is ready': NEWS,
  'Wasl stops: /ready answers 503': NEWS,
  'Wasl stops: it finishes open requests and takes no new one': NEWS,
  'Wasl stops: it finishes what it has begun': NEWS,
  'Wasl stops: the store is closed': NEWS,
  'Wasl has stopped': NEWS,
  'A setting needs a look': warn('starts all the same', 'see `wasl check`', EACH),
  'The store is not set up as it must be': warn('starts all the same', 'mend what `warning` says', EACH),
  'The live store is older than the records': error(
    'put back what only the records have',
    'read “A live store that is older than the records” in docs/operator/backup.md',
    EACH,
  ),
  'The records did not answer at the start': error('starts without comparing them', '#waslrecordslate', EACH),
  'Wasl waits for conversations of another release': warn('keeps its doors closed', 'wait', EACH),
  'This process cannot tell the others that it is here': error('tries again', '#waslstoredown', ENDS),
  'This process could not take leave of the others': warn('they notice by its silence', NEVER),
} as const;

const TURNS = {
  'A turn was answered': NEWS,
  'A turn failed': warn('the customer reads that it did not work', '#waslturnsfailing', EACH),
  'Too many turns are under way': warn('answers with the last page', '#waslturnsshed'),
  'An error ended turns': error('the customer reads that it did not work', '#waslturnsfailing'),
  'A turn failed behind its answer': error('settles what was claimed once it is due', '#waslturnsfailing'),
  'A claim was written for a payment that was not sent': error('the worker settles it', NEVER),
  'A request failed': error('answers 500', 'report it with `at`'),
  'A request was cut off by its sender': { level: 'info' },
  'A proxy names no address in X-Forwarded-For': warn(
    'its senders share one limit',
    'have the proxy write the address of its sender',
  ),
  'A budget of SMS is spent': error('sends no code until then', '#waslbudgetspent', EACH),
} as const;

const PAYMENTS = {
  'A person must look at this payment': error('opened a case', '#waslpaymentneedsperson', EACH),
  'A person must look at this webhook': error('opened a case', 'read the case at the console', EACH),
  'The wallet has answered, and the store did not take it': error(
    'keeps the answer here, sealed, and asks the wallet again',
    'open it with `npm run support -- open-answer <id> <sealed>`',
    EACH,
  ),
  'The wallet does not respond': error('turns its calls away unsent', '#waslwalletnotanswering', ENDS),
  'A call to the wallet got no answer': warn('asks what became of a payment', '#waslwalletunknownends'),
  'A field of the wallet breaks its contract': warn('leaves it out', 'tell the wallet’s operator', EACH),
  'A webhook could not be taken': error('answers 503: the wallet sends it again', '#waslwebhooksrefused'),
  'A webhook could not be applied': error('tries again', '#waslnewslate'),
  'What a payment led to could not be told elsewhere': error('tells it at the next visit', NEVER),
  'Payments could not be woken': error('looks at them when they are due', '#waslpaymentsopenlong'),
  'A payment by card could not be written down': error('looks for it when it is due', '#waslstoredown'),
  'A refused card could not be counted': warn('goes on without it', '#waslstoredown'),
  'References could not be looked at': error('looks when they are due', NEVER),
  'Saved names could not be written down': warn('goes on without them', NEVER),
} as const;

const WORK = {
  'The worker cannot ask the store for work': error('tries again', '#waslworkersilent', ENDS),
  'A chore failed': error('tries again within half a minute', '#waslworkerlate'),
  'The lag of workers could not be noted': error('measures it at the next start', '#waslstoredown'),
  'The records take nothing': error('turns wait in the store', '#waslrecordslate', ENDS),
  'Turns that wait for the records near their limit': error('keeps them', '#waslrecordsfull'),
  'Turns were lost at the limit': error('lost no turn of a payment', '#waslrecordsfull'),
  'Recording could not begin': error('tries again at the next start', 'restart this worker'),
  'Old records were deleted': NEWS,
  'Old records could not be deleted': error('tries again', '#waslrecordslate'),
  'An update of a case was put aside': error(
    'kept the turn that carries it',
    'look at the case, which the records cannot give',
    EACH,
  ),
  'An event of a case was given up': error('tried for three days', 'look at CASE_WEBHOOK_URL', EACH),
} as const;

const CHANNELS = {
  'A USSD session ended': NEWS,
  'A message of a provider could not be worked': error('tries again', '#waslturnsfailing'),
  'A USSD page could not be sent': warn('the customer dials again and reads where they are', NEVER),
  'An SMPP bind is there': NEWS,
  'An SMPP bind is not there': error(
    'binds again, with longer and longer waits',
    'ask the operator of the SMSC, with `code` (docs/operator/smpp.md)',
    ENDS,
  ),
  'An SMSC sent a PDU that cannot be read': warn('passes over it, or binds again', NEVER),
  'A message could not be delivered': error('tries again', '#wasldeliveriesfailing'),
  'An SMS was not taken': error('tries again, unless it is `refused`', '#wasldeliveriesfailing'),
  'Sent SMS could not be counted': error('goes on without the count', '#waslstoredown'),
  'Open chats could not be told': error('they look by themselves', NEVER),
  'An open chat could not look for messages': error('looks again', NEVER),
  'Notes of chats could not be written': error('shows a screen twice', NEVER),
  'Telegram cannot be reached, or knows no such token': error(
    'tries again',
    'look at TELEGRAM_BOT_TOKEN',
    ENDS,
  ),
  'Telegram does not take how the bot looks': warn('tries again at the next start', NEVER),
  'Telegram refuses a screen': error('the customer reads a sentence instead', 'report it with `at`'),
  'Telegram refuses a message': error('keeps what is about money', 'report it with `at`'),
  'WhatsApp refuses a message': error('keeps what is about money', 'report it with `code`'),
  'WhatsApp does not let us send': error(
    'tries again in a minute',
    'look up `code` in docs/operator/whatsapp.md',
  ),
  'Updates of Telegram cannot be fetched': error('tries again', '#wasldeliveriesfailing'),
  'Another process fetches the updates of this bot': error(
    'tries again',
    'fetch with one process only, or set PUBLIC_URL for all of them',
  ),
  'A notification of a browser failed': error('shows it at the next visit', NEVER),
  'Too many notifications are under way': error('did not send it', NEVER),
  'A push service refuses notifications': error('did not send it', 'look at PUSH_SERVICES and `status`'),
  'The simulator does not see turns': error('shows none', 'restart it'),
} as const;

const CONSOLE = {
  'The audit ends here': NEWS,
  'The audit has become shorter': error('goes on', 'verify it: `npm run support -- verify-audit`', EACH),
  'The witness of the audit was not taken': error('sends it again', 'look at AUDIT_WITNESS_URL'),
  'Audit entries have left the store before they were copied': error(
    'copies those behind them',
    'restore the records from a copy that has them',
    EACH,
  ),
  'The end of an act is not in the audit': error('the act itself is', '#waslstoredown'),
  'A page of the console failed': error('the agent reads that it did not work', '#waslstoredown'),
  'The console refused requests of strangers': warn('answers 403, 413 or 429', 'stop who sends them'),
  'The address of the console could not be noted': error('commands name none', NEVER),
  'The provider of the sign-in cannot be reached': error('nobody signs in there', 'look at OIDC_ISSUER'),
  'A company sign-in failed': error('let nobody in', 'read docs/operator/sign-in.md'),
  'A company sign-in was refused': warn('let nobody in', 'read docs/operator/sign-in.md'),
} as const;

export const LINES = { ...STARTS, ...TURNS, ...PAYMENTS, ...WORK, ...CHANNELS, ...CONSOLE } as const;
export type Line = keyof typeof LINES;

export function rowOf(line: Line): Row {
  return LINES[line];
}
