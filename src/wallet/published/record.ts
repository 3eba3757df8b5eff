import { API, API_HEADERS } from '../contract/api.ts';
import { CAST, type Call, type Section, type Step } from './section.ts';
import { BOUNDARY, filled, formText, type Kept, taken } from './values.ts';

/** Answers a request: a sandbox in process, or one behind `fetch`. */
export type Send = (request: Request) => Response | Promise<Response>;

/** A step that ran: its real request and answer. */
export interface Recorded {
  readonly section: string;
  readonly step: Step;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly requestId: string;
  /** As sent: JSON or the text of a form. */
  readonly body?: string;
  readonly status: number;
  readonly type: string;
  /** The target of a redirect. */
  readonly location?: string;
  /** JSON as a value. Undefined where there was no body, or a file. */
  readonly answer?: unknown;
  readonly bytes: number;
}

/** The place where the walks run. */
export interface Stage {
  readonly send: Send;
  readonly origin: string;
  readonly apiKey: string;
}

/** Runs the walks of all sections, one after the other, and writes down what happened. A step that fails is a bug. */
export async function record(sections: readonly Section[], stage: Stage): Promise<readonly Recorded[]> {
  const recorded: Recorded[] = [];
  let kept: Kept = CAST;
  for (const { id, walk } of sections) {
    for (const step of walk) {
      try {
        const ran = await run(step, kept, uuid(recorded.length + 1), stage);
        kept = { ...kept, ...newlyKept(step, ran.answer) };
        recorded.push({ section: id, step, ...ran });
      } catch (error) {
        const name = 'call' in step ? step.call : step.aside;
        throw new Error(`${id}, ${name}: ${error instanceof Error ? error.message : error}`);
      }
    }
  }
  return recorded;
}

async function run(
  step: Step,
  kept: Kept,
  requestId: string,
  { send, origin, apiKey }: Stage,
): Promise<Omit<Recorded, 'section' | 'step'>> {
  const method = 'call' in step ? API[step.call].method : step.method;
  const target = targetOf(filled(step, kept));
  const body = bodyText(filled(step, kept));
  const response = await send(
    new Request(new URL(target, origin), {
      method,
      redirect: 'manual',
      headers: headersOf(step, requestId, apiKey, body),
      ...(body && { body }),
    }),
  );
  const { status } = response;
  const type = response.headers.get('content-type')?.split(';')[0] ?? '';
  const bytes = new Uint8Array(await response.arrayBuffer());
  const text = /json|text/.test(type) ? new TextDecoder().decode(bytes) : '';
  if (!expected(step).includes(status)) throw new Error(`${status} ${text}`);
  const json: unknown = type.includes('json') ? JSON.parse(text) : undefined;
  const location = response.headers.get('location');
  return {
    method,
    target,
    requestId,
    ...(body && { body }),
    status,
    type,
    ...(location && { location }),
    ...(json !== undefined && { answer: json }),
    bytes: bytes.length,
  };
}

/** The headers of a step. Outside of the API no key is shown to anybody. */
export function headersOf(step: Step, requestId: string, apiKey: string, body?: string) {
  return {
    ...('call' in step && { [API_HEADERS.key]: apiKey, [API_HEADERS.requestId]: requestId }),
    ...(body && { 'Content-Type': mediaType(step) }),
  };
}

/** Of the form that is recommended, and the same every time. */
function uuid(n: number): string {
  return `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
}

/** The HTTP statuses a step may be answered with. A page of 3D Secure may lead on. */
export function expected(step: Step): readonly number[] {
  if (!('call' in step)) return [200, 302, 303];
  return [step.refused ?? API[step.call].status];
}

export function isMultipart(step: Step): boolean {
  return 'call' in step && 'multipart' in API[step.call];
}

function mediaType(step: Step): string {
  if (isMultipart(step)) return `multipart/form-data; boundary=${BOUNDARY}`;
  return 'form' in step ? 'application/x-www-form-urlencoded' : 'application/json';
}

/** A body as it goes over the wire, of a step that is filled in or of one that still has names in it. */
export function bodyText(step: Step, indent?: number): string | undefined {
  if ('form' in step) return new URLSearchParams(step.form).toString();
  if (!step.body) return undefined;
  return isMultipart(step) ? formText(step.body) : JSON.stringify(step.body, undefined, indent);
}

function targetOf({ query = {}, ...step }: Step): string {
  const path = 'call' in step ? pathOf(step) : step.target;
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      [value].flat().map((each): [string, string] => [name, String(each)]),
    ),
  );
  return search.size > 0 ? `${path}?${search}` : path;
}

function pathOf({ call, params = {} }: Call): string {
  return API[call].path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(params[name])));
}

function newlyKept({ keeps = {} }: Step, answer: unknown): Kept {
  return Object.fromEntries(Object.entries(keeps).map(([name, place]) => [name, taken(answer, place)]));
}
