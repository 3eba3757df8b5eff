import { isReading } from '../../../machines/kit/reading.ts';
import { MACHINES } from './charts.ts';

/** The conversations that only read: what is known of them elsewhere follows from their machines. */
export const READINGS = Object.values(MACHINES).filter(isReading);
