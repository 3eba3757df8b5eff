import { fork } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import ky from 'ky';
import { Agent, request, Pool } from 'undici';
if (process.argv[2] === 'server') {
  http.createServer((q, s) => { let n = 0; q.on('data', (d) => (n += d.length)); q.on('end', () => { s.setHeader('content-type', 'application/json'); s.end('{"data":{"id":1,"n":' + n + '}}'); }); }).listen(0, '127.0.0.1', function (this: any) { process.send!(this.address().port); });
} else {
  const child = fork(import.meta.filename, ['server']);
  const [port] = (await once(child, 'message')) as [number];
  const base = `http://127.0.0.1:${port}`;
  const body = JSON.stringify({ CustomerPhoneNumber: '+212612345678', RecipientPhoneNumber: '+212698765432', Amount: 200, Reason: 'envoi' });
  const headers = { 'x-api-key': 'k', accept: 'application/json', 'c-request-id': 'abc' };
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
  const bare = () => new Promise<void>((res, rej) => { const q = http.request(`${base}/api/operations/transfer`, { method: 'POST', agent, headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) } }, (a) => { let t = ''; a.setEncoding('utf8').on('data', (d) => (t += d)).on('end', () => { JSON.parse(t); res(); }); }); q.on('error', rej).end(body); });
  const ua = new Agent({ connections: 64, pipelining: 1 });
  const und = async () => { const { body: b } = await request(`${base}/api/operations/transfer`, { method: 'POST', dispatcher: ua, headers: { ...headers, 'content-type': 'application/json' }, body }); JSON.parse(await b.text()); };
  const pool = new Pool(base, { connections: 64 });
  const disp = () => new Promise<void>((res, rej) => { let t: Buffer[] = []; pool.dispatch({ method: 'POST', path: '/api/operations/transfer', headers: { ...headers, 'content-type': 'application/json' }, body }, { onRequestStart() {}, onResponseStart() {}, onResponseData(_c: any, d: Buffer) { t.push(d); }, onResponseEnd() { JSON.parse(Buffer.concat(t).toString()); res(); }, onResponseError(_c: any, e: Error) { rej(e); } } as any); });

  type Lean = { path: string; text: string | undefined; headers: Record<string,string>; signal: AbortSignal };
  const go = (method: string, { path, text, headers, signal }: Lean) => new Promise<{ status: number; text: string; headers: any }>((res, rej) => { const t: Buffer[] = []; let st = 0; let hd: any; let ctl: any; let timer = setTimeout(() => ctl?.abort(new Error('late')), 10000);
    pool.dispatch({ method: method as 'POST', path, headers, body: text ?? null }, { onRequestStart(c: any) { ctl = c; }, onResponseStart(_c: any, s: number, h: any) { st = s; hd = h; }, onResponseData(_c: any, d: Buffer) { t.push(d); }, onResponseEnd() { clearTimeout(timer); res({ status: st, text: t.length === 1 ? t[0]!.toString() : Buffer.concat(t).toString(), headers: hd }); }, onResponseError(_c: any, e: Error) { clearTimeout(timer); rej(e); } } as any); });
  const sig = new AbortController().signal;
  const lean = { path: '/api/operations/transfer', text: body, headers: { ...headers, 'content-type': 'application/json' }, signal: sig };
  const transport = async () => { const r = await go('POST', lean); JSON.parse(r.text); };
  const k2 = ky.create({ prefix: base, retry: 0, timeout: false, redirect: 'manual', throwHttpErrors: false, fetch: (async (r: Request, o: any) => { const a = await go(r.method, o.lean); return new Response(a.text, { status: a.status, headers: { 'content-type': a.headers['content-type'] } }); }) as any });
  const kyReal = async () => { const r = await k2('api/operations/transfer', { method: 'POST', lean } as any); JSON.parse(await r.text()); };
  const k3 = ky.create({ prefix: base, retry: 0, timeout: false, redirect: 'manual', throwHttpErrors: false, fetch: (async (r: Request, o: any) => { const a = await go(r.method, o.lean); return { [Symbol.toStringTag]: 'Response', status: a.status, ok: true, text: async () => a.text }; }) as any });
  const kyDuck = async () => { const r = await k3('api/operations/transfer', { method: 'POST', lean } as any); JSON.parse(await r.text()); };
  const k4 = ky.create({ prefix: base, retry: 0, timeout: false, redirect: 'manual', throwHttpErrors: false, headers, fetch: (async (r: Request, o: any) => { const a = await go(r.method, { ...lean, headers: Object.fromEntries(r.headers), path: r.url.slice(base.length), text: await r.text() }); return new Response(a.text, { status: a.status }); }) as any });
  const kyHonest = async () => { const r = await k4('api/operations/transfer', { method: 'POST', body, headers: { 'content-type': 'application/json' } } as any); JSON.parse(await r.text()); };
  const k5 = ky.create({ prefix: base, retry: 0, timeout: false, redirect: 'manual', throwHttpErrors: false, headers, fetch: (async (r: Request, o: any) => { const a = await go(r.method, { ...lean, headers: Object.fromEntries(r.headers), path: r.url.slice(base.length), text: o.text }); return new Response(a.text, { status: a.status }); }) as any });
  const kyMid = async () => { const r = await k5('api/operations/transfer', { method: 'POST', text: body, headers: { 'content-type': 'application/json' } } as any); JSON.parse(await r.text()); };
  const all = { bare, und, disp, transport, kyReal, kyDuck, kyMid, kyHonest };
  for (let round = 0; round < 3; round++) for (const [name, f] of Object.entries(all)) {
    const n = 3000; const c = process.cpuUsage(); let left = n;
    await Promise.all(Array.from({ length: 16 }, async () => { while (left-- > 0) await f(); }));
    const d = process.cpuUsage(c); if (round) console.log(name, Math.round((d.user + d.system) / n));
  }
  child.kill(); process.exit(0);
}
