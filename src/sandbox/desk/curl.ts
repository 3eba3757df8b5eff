import { API_HEADERS } from '../../wallet/contract/api.ts';
import { MASK } from '../door/mask.ts';
import type { Logged } from '../door/request-log.ts';

/** A character for private use, which no request has. */
const MARK = '\uE000';
const MARKED = /\uE000(\w+?)\uE000/g;

/**
 * A request of the log as a command for a shell. The key and each secret are variables of the shell: `$API_KEY`, `$PIN`.
 * @param origin where the sandbox is reached
 */
export function curlOf({ method, path, query, requestId, isForm, body }: Logged, origin: string): string {
  const search = query
    .map(([name, value]) => `${encodeURIComponent(name)}=${inQuery(name, value)}`)
    .join('&');
  const url = `${origin}${path}${search && `?${search}`}`;
  const parts = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted(url)}`,
    `-H "${API_HEADERS.key}: $API_KEY"`,
    ...(requestId ? [`-H ${quoted(`${API_HEADERS.requestId}: ${requestId}`)}`] : []),
  ];
  if (body !== undefined) parts.push(...(isForm ? formParts(body) : jsonParts(body)));
  return parts.join(' \\\n  ');
}

function jsonParts(body: unknown): string[] {
  const text = JSON.stringify(body, (name, value) => (value === MASK ? placeholder(name) : value));
  return [`-H 'Content-Type: application/json'`, `-d ${quoted(text)}`];
}

/** Files are to be put in by hand. */
function formParts(body: unknown): string[] {
  const flat = (value: unknown, name: string): [string, string][] => {
    if (Array.isArray(value)) return value.flatMap((each, n) => flat(each, `${name}[${n}]`));
    if (typeof value === 'object' && value !== null)
      return Object.entries(value).flatMap(([key, each]) => flat(each, name ? `${name}.${key}` : key));
    return [[name, value === MASK ? placeholder(name) : String(value)]];
  };
  return flat(body, '').map(
    ([name, value]) => `-F ${quoted(`${name}=${value.startsWith('<file ') ? '@file' : value}`)}`,
  );
}

function inQuery(name: string, value: string): string {
  return value === MASK ? placeholder(name) : encodeURIComponent(value);
}

/** Stands for a variable until the text is quoted. */
function placeholder(name: string): string {
  const words = name.replace(/([a-z])([A-Z])/g, '$1_$2').replace(/\W+/g, '_');
  return `${MARK}${words.toUpperCase() || 'SECRET'}${MARK}`;
}

/** In single quotes, where a shell reads nothing but the quote itself. Variables are outside them. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`).replace(MARKED, `'"$$$1"'`)}'`;
}
