import { setTimeout as sleep } from 'node:timers/promises';
import { createServer, PDU, type Pdu } from 'smpp';
import { quantile } from './measure.ts';

/** An SMSC in a process of its own, for `smpp.ts`: its customers dial and answer once, at moments of their own. */
const { RATE = '500', SECONDS = '60' } = process.env;
const STEP_MS = 2;

const server = createServer((session) => {
  const waiting = new Map<string, () => void>();
  const ms: number[] = [];
  let ids = 0;
  session.on('error', () => {});
  session.on('enquire_link', (pdu: Pdu) => session.send(pdu.response()));
  session.on('submit_sm', (pdu: Pdu) => {
    session.send(pdu.response({ message_id: `${++ids}` }));
    waiting.get(pdu.destination_addr ?? '')?.();
  });
  const turn = (phone: string, op: number, text: string) =>
    new Promise<void>((resolve) => {
      const at = performance.now();
      waiting.set(phone, () => {
        ms.push(performance.now() - at);
        waiting.delete(phone);
        resolve();
      });
      session.send(
        new PDU('deliver_sm', {
          ...{ service_type: 'USSD', source_addr: phone, destination_addr: '123', ussd_service_op: op },
          ...{ its_session_info: Buffer.from([1, 0]), data_coding: 0, short_message: Buffer.from(text) },
        }),
      );
    });
  const dialogue = async (n: number) => {
    const phone = `2126${String(10_000_000 + n)}`;
    await turn(phone, 1, '*123#');
    await turn(phone, 18, '1');
  };
  session.on('bind_transceiver', async (pdu: Pdu) => {
    session.send(pdu.response({ system_id: 'bench' }));
    const [startedAt, all] = [performance.now(), [] as Promise<void>[]];
    for (let now = 0; now < Number(SECONDS); now = (performance.now() - startedAt) / 1_000) {
      while (all.length < now * Number(RATE)) all.push(dialogue(all.length));
      await sleep(STEP_MS);
    }
    await Promise.all(all);
    process.send?.({ dialogues: all.length, p50: quantile(ms, 0.5), p99: quantile(ms, 0.99) });
  });
});
server.listen(0, () => process.send?.({ port: (server.address() as { port: number }).port }));
