/** The program of the thread that `in-thread.ts` starts: it looks at one file and says whether it is active. */
import { parentPort, workerData } from 'node:worker_threads';
import { isActivePdf } from './active.ts';

parentPort?.postMessage(isActivePdf(workerData as Uint8Array));
