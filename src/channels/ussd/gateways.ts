import { advanta } from './advanta.ts';
import { africasTalking } from './africas-talking.ts';
import { arkesel } from './arkesel.ts';
import type { UssdDialect } from './dialect.ts';
import { hubtel } from './hubtel.ts';

/**
 * Every USSD gateway that Wasl speaks with. A new one is a row here and its dialect's file: its route, its name in `USSD_PAGES` and
 * the contract suite (`test/channels/ussd.test.ts`) follow from the row.
 */
export const GATEWAYS: readonly UssdDialect[] = [africasTalking, arkesel, hubtel, advanta];
