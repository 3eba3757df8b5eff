import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Msisdn } from '../../src/wallet/phone.ts';

const RECIPIENT = '0655555555';
/** A customer looks at a page for so long. */
const THINKS_MS = 100;
/** Dials after a payment until its outcome is read, and before one until it is taken up. */
const DIALS_MAX = 60;
/** Pages that end a dial before anything was sent, and say so: a customer dials again. */
const TRY_AGAIN = /^(?:menu\.unavailable|pay\.unavailable|nav\.(?:unavailable|busy))$/;
const STEPS_MAX = 15;

/** One transfer that a customer has begun, and what they read of it. */
interface Attempt {
  readonly phone: Msisdn;
  /** In dirhams: no two of one customer are the same. */
  readonly amount: number;
  /** The keys of the screens it led over. */
  readonly keys: string[];
  /** The last page, where it did not end as it should. */
  lost?: string;
  /** It was begun anew so often, as Wasl or the wallet could not take it. */
  redials: number;
  /** The customer has read that it was made. */
  isTold: boolean;
}

/** One page on a handset. */
interface Page {
  readonly text: string;
  readonly ends: boolean;
  readonly key: string;
}

/** Customers who send money by USSD, one transfer after another, until they are told to stop. */
interface Load {
  readonly attempts: readonly Attempt[];
  /** Every page that any customer has read. */
  readonly pages: readonly Page[];
  /** Waits until so many more transfers have been told. */
  more(transfers: number): Promise<void>;
  /** Lets everybody come to an end. */
  stop(): Promise<void>;
}

export function startLoad(url: string, pin: string, phones: readonly Msisdn[]): Load {
  const attempts: Attempt[] = [];
  const pages: Page[] = [];
  let isOver = false;
  const ended = () => attempts.filter(({ isTold, lost }) => isTold || lost !== undefined).length;
  const lives = phones.map(async (phone, i) => {
    for (let amount = 10; !isOver; amount++) {
      const attempt: Attempt = { phone, amount, keys: [], redials: 0, isTold: false };
      attempts.push(attempt);
      await pays({ url, pin, pages }, attempt);
      await sleep(THINKS_MS + i);
    }
  });
  return {
    attempts,
    pages,
    async more(transfers) {
      const wanted = ended() + transfers;
      while (ended() < wanted) await Promise.race([sleep(50), Promise.all(lives)]);
    },
    async stop() {
      isOver = true;
      await Promise.all(lives);
    },
  };
}

interface Handset {
  readonly url: string;
  readonly pin: string;
  readonly pages: Page[];
}

/** One transfer, from the dial to the page that tells its outcome. A page that nobody expects there loses it. */
async function pays(handset: Handset, attempt: Attempt): Promise<void> {
  for (; attempt.redials < DIALS_MAX; attempt.redials++) {
    if (await dials(handset, attempt)) return;
    await sleep(THINKS_MS * 3);
  }
  attempt.lost = 'it was never taken up';
}

/** One dial. False where it ends with nothing sent, and is to be dialled again. */
async function dials(handset: Handset, attempt: Attempt): Promise<boolean> {
  let answers: string[] = [];
  const session = randomUUID();
  for (let step = 0; step < STEPS_MAX; step++) {
    const page = await turn(handset, attempt, session, answers);
    if (TRY_AGAIN.test(page.key)) return false;
    if (/processing|notConfirmed|checkingPin/.test(page.key)) {
      await hears(handset, attempt);
      return true;
    }
    if (isToldBy(page, attempt)) return true;
    const reply = answerTo(page, attempt, handset.pin);
    if (reply === undefined || page.ends) {
      attempt.lost = `${page.key}: ${page.text}`;
      return true;
    }
    answers = [...answers, reply];
    await sleep(THINKS_MS);
  }
  attempt.lost = 'it did not come to an end';
  return true;
}

/** Dials until the outcome is read. */
async function hears(handset: Handset, attempt: Attempt): Promise<void> {
  for (let dials = 0; dials < DIALS_MAX; dials++) {
    await sleep(THINKS_MS * 3);
    if (isToldBy(await turn(handset, attempt, randomUUID(), []), attempt)) return;
  }
  attempt.lost = 'its outcome was not told';
}

function isToldBy({ text, key }: Page, attempt: Attempt): boolean {
  // In the words of this release, or of the one before it.
  const sent = `${attempt.amount},00 DH`;
  attempt.isTold ||= [`Envoi de ${sent} au ${RECIPIENT} effectué`, `${sent} envoyés au ${RECIPIENT}`].some(
    (said) => text.includes(said),
  );
  return attempt.isTold && key !== '';
}

async function turn(
  { url, pages }: Handset,
  { phone, keys }: Attempt,
  sessionId: string,
  answers: readonly string[],
): Promise<Page> {
  const body = new URLSearchParams({ sessionId, phoneNumber: phone, text: answers.join('*') });
  const response = await fetch(url, { method: 'POST', body });
  const said = await response.text();
  const key = response.headers.get('at-ussd-hop-metadata') ?? `${response.status}`;
  const page = { text: said.slice(4), ends: !said.startsWith('CON'), key };
  pages.push(page);
  keys.push(key);
  return page;
}

function answerTo({ key }: Page, { amount }: Attempt, pin: string): string | undefined {
  // The customer goes on with a conversation that was left open.
  if (/^(?:menu|language)\.choose$|\.resume(?:Payment)?$/.test(key)) return '1';
  if (key === 'transfer.askRecipient') return RECIPIENT;
  if (/^transfer\.(?:askAmount|howMuch)$/.test(key)) return String(amount);
  if (key === 'transfer.askReason') return 'loyer';
  if (/^transfer\.confirm/.test(key)) return '1';
  return key.startsWith('transfer.askPin') || key === 'pay.askNew' ? pin : undefined;
}
