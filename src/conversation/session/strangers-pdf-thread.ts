import { parentPort, workerData } from 'node:worker_threads';
import { isActivePdf } from './active-pdf.ts';

parentPort?.postMessage(isActivePdf(workerData as Uint8Array));
