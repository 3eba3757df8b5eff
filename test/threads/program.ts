/** A thread of the tests. It answers with the first byte, throws for 0, and computes without an end for 255. */
import { parentPort, workerData } from 'node:worker_threads';

const [byte] = workerData as Uint8Array;
if (byte === 0) throw new Error('unreadable');
while (byte === 255);
parentPort?.postMessage(byte);
