import { isReading } from '../../../machines/kit/reading.ts';
import { MACHINES } from './charts.ts';

/** The conversations that only read. All other knowledge of them follows from their machines. */
export const READINGS = Object.values(MACHINES).filter(isReading);
