import { headersOf, isMultipart, type Recorded } from './record.ts';
import { fieldsOfForm } from './values.ts';

/** A request that ran, as a command that can be pasted into a shell. */
export function curl(
  { step, method, target, requestId, body }: Recorded,
  { origin, apiKey }: { origin: string; apiKey: string },
): string {
  const isForm = isMultipart(step);
  // A form is written by curl itself.
  const headers = Object.entries(headersOf(step, requestId, apiKey, isForm ? undefined : body));
  const form = isForm
    ? fieldsOfForm(step.body).map(([name, value]) =>
        typeof value === 'string' ? `${name}=${value}` : `${name}=@${value.file};type=${value.type}`,
      )
    : [];
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}'${new URL(target, origin)}'`,
    ...headers.map(([name, value]) => `-H '${name}: ${value}'`),
    ...form.map((field) => `-F '${field}'`),
    ...(body && !isForm ? [`-d '${body.replaceAll("'", "'\\''")}'`] : []),
  ].join(' \\\n  ');
}

export function answerText({ status, type, location, answer, bytes }: Recorded): string {
  if (location) return `(${status}, to ${location})`;
  if (answer !== undefined) return JSON.stringify(answer, undefined, 2);
  return bytes > 0 ? `(${type}, ${bytes} bytes)` : `(${status}, no body)`;
}
