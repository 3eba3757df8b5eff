import { createHmac } from 'node:crypto';
import { type FormOptions, formRoutes } from '../../src/channels/form/routes.ts';
import { launchedBy, TELEGRAM_FRAMES } from '../../src/channels/telegram/launch.ts';
import type { BotCustomer } from './bot-api/customer.ts';
import { buttonsOf } from './bot-api/person.ts';
import { type BotStage, theBotStage } from './bot-api/stage.ts';
import { fakeLog } from './fakes.ts';

export const HOST = 'https://wasl.example';
/** The form's answer, as its customer meets it. */
interface FormPage {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
}

/** The real bot and the form of one world. */
export function theFormStage() {
  const stage = theBotStage({ formAt: `${HOST}/form` });
  const logged = fakeLog();
  return {
    stage,
    logged,
    /** As `main` makes it. */
    routes: (openers: FormOptions['openers'] = telegramOpener(stage)) => formOf(stage, logged.log, openers),
  };
}

function formOf({ world }: BotStage, log: FormOptions['log'], openers: FormOptions['openers']) {
  const { renderer, secrets } = world;
  return formRoutes({
    conversations: world.engine,
    cardLinks: world.engine,
    renderer,
    secrets,
    openers,
    secure: true,
    proxies: [],
    log,
  });
}

export function telegramOpener({ api, world }: BotStage): FormOptions['openers'] {
  const launch = (text: string) => launchedBy(api.token, text, world.clock.now());
  return { telegram: { launch, framedBy: TELEGRAM_FRAMES } };
}

/** The token in the newest button that opens a form. */
export function tokenOf({ person }: BotCustomer): string {
  const apps = person
    .visible()
    .flatMap((message) => buttonsOf(message).flatMap(({ web_app: app }) => app ?? []));
  return apps.at(-1)?.url.replace(`${HOST}/form/`, '') ?? '';
}

/** Telegram's data about the person who opened the Mini App, signed with the bot's token. */
export function launchOf(
  token: string,
  user: number,
  at: number,
  more: Readonly<Record<string, string>> = {},
): string {
  const fields = {
    query_id: 'AAHdF6IQAAAAAN0XohDhrOrc',
    user: JSON.stringify({ id: user, first_name: 'Fatima', language_code: 'fr' }),
    auth_date: String(Math.floor(at / 1_000)),
    signature: 'not looked at',
    ...more,
  };
  const checked = Object.entries(fields)
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join('\n');
  const key = createHmac('sha256', 'WebAppData').update(token).digest();
  const hash = createHmac('sha256', key).update(checked).digest('hex');
  return new URLSearchParams({ ...fields, hash }).toString();
}

/** A form as a browser of our own page sends it. */
export function sent(
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): RequestInit {
  return {
    method: 'POST',
    headers: {
      host: new URL(HOST).host,
      origin: HOST,
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    },
    body: new URLSearchParams(fields).toString(),
  };
}

export async function pageOf(answer: Response | Promise<Response>): Promise<FormPage> {
  const response = await answer;
  return { status: response.status, headers: response.headers, html: await response.text() };
}

/** The address that a page's own form is sent to. */
export function nextTokenIn({ html }: FormPage): string {
  return /action="\/form\/([^"]+)"/.exec(html)?.[1] ?? '';
}
