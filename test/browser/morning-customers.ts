import { randomUUID } from 'node:crypto';

/** How long an open chat is listened to. */
const QUIET_MS = 400;

/** A customer of the morning, on one of the channels, as the network brings them. */
export interface Comer {
  readonly name: string;
  /** Wants a person. */
  asks(): Promise<unknown>;
  /** Says something, as an answer to the adviser or to the bot. */
  says(text: string): Promise<unknown>;
  /** Everything that they can read by now. */
  reads(): Promise<string>;
}

/** At a keypad phone. @param language the digit of it, on the first screen */
export function atPhone(url: string, phone: string, language: '1' | '2' | '3') {
  let typed: string[] = [];
  let sessionId = '';
  const read: string[] = [];
  const send = async () => {
    const body = new URLSearchParams({
      sessionId,
      phoneNumber: phone,
      serviceCode: '*123#',
      networkCode: '60401',
      text: typed.join('*'),
    });
    const page = await (await fetch(`${url}/ussd/africastalking`, { method: 'POST', body })).text();
    read.push(page);
    return page;
  };
  const comer = {
    name: phone,
    dials() {
      typed = [];
      sessionId = randomUUID();
      return send();
    },
    async types(...answers: readonly string[]) {
      let page = '';
      for (const each of answers) {
        typed.push(each);
        page = await send();
      }
      return page;
    },
    async comes() {
      await comer.dials();
      return comer.types(language);
    },
    /** From the help to an adviser, without a word on the reason. In Arabic the entry stands on the second page. */
    async helped() {
      const help = await comer.types('99');
      return /^3 /m.test(help) ? comer.types('3', '1') : comer.types('98', '3', '1');
    },
    async asks() {
      await comer.comes();
      return comer.helped();
    },
    says: (text: string) => comer.types(text),
    /** An adviser's message waits for the next dial. */
    async reads() {
      await comer.dials();
      // A customer with two messages reads on.
      while (/^98/m.test(read.at(-1) ?? '')) await comer.types('98');
      return read.join('\n');
    },
  };
  return comer;
}

/** In the web chat, whose page shows what the events bring. */
export function inWebChat(url: string, language: 'fr' | 'en' | 'ar'): Comer {
  let cookie = '';
  const read: string[] = [];
  const does = async (what: object) => {
    const headers = { cookie, origin: url, 'content-type': 'application/json' };
    const body = JSON.stringify({ id: randomUUID(), guess: language, ...what });
    const answer = await fetch(`${url}/chat/messages`, { method: 'POST', headers, body });
    read.push(await answer.text());
  };
  const events = async () => {
    const stopping = new AbortController();
    const stream = await fetch(`${url}/chat/events`, { headers: { cookie }, signal: stopping.signal });
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    const next = async () => (await reader?.read().catch(() => undefined))?.value;
    // Waiting messages come at once after the first piece, however late that is.
    const first = await next();
    setTimeout(() => stopping.abort(), QUIET_MS);
    for (let piece = first; piece; piece = await next()) read.push(piece);
  };
  return {
    name: `web ${language}`,
    async asks() {
      cookie = (await fetch(`${url}/chat`)).headers.get('set-cookie')?.split(';')[0] ?? '';
      await does({ opened: true });
      await does({ language });
      await does({ went: 'help' });
      await does({ choice: 'adviser' });
    },
    says: (text) => does({ text }),
    async reads() {
      await events();
      return read.join('\n');
    },
  };
}

/** In Telegram, as the simulator plays it. */
export function inTelegram(
  url: string,
  phone: string,
  language: 'fr' | 'en' | 'ar',
  words: readonly string[],
): Comer {
  const headers = { 'content-type': 'application/json', origin: url };
  const does = (what: object) =>
    fetch(`${url}/simulator/telegram`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ phone, language, ...what }),
    });
  return {
    name: `telegram ${language}`,
    async asks() {
      await does({ does: 'write', text: '/start' });
      await does({ does: 'write', text: '/help' });
      for (const text of words) await does({ does: 'write', text });
    },
    says: (text) => does({ does: 'write', text }),
    async reads() {
      const query = new URLSearchParams({ phone, language });
      return (await fetch(`${url}/simulator/telegram/chat?${query}`)).text();
    },
  };
}
