/**
 * A thread of the tests. It answers with the first byte, throws for 0, and computes without an end for 255. For 254 it waits
 * before it answers, as it does for its turn on a busy machine.
 */
import { parentPort, workerData } from 'node:worker_threads';

const [byte] = workerData as Uint8Array;
if (byte === 0) throw new Error('unreadable');
while (byte === 255);
if (byte === 254) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
parentPort?.postMessage(byte);
