import { channelOf } from '../conversation/channel.ts';
import type { Incoming, Reply } from '../conversation/incoming.ts';
import { type Log, thrown } from '../log/thrown.ts';
import type { Answer } from '../wallet/answer.ts';
import type { TurnOutcome, WalletCall } from './meter.ts';

/** How a turn went. Without a reply it has failed with `error`. */
interface LoggedTurn {
  readonly machine: string;
  readonly outcome: TurnOutcome;
  readonly seconds: number;
  readonly reply?: Reply | undefined;
  readonly error?: unknown;
}

/** The log's part of turns and calls, besides the counters. */
export interface TurnLog {
  turn(incoming: Incoming, turn: LoggedTurn): void;
  /** @param id the call's `C-Request-Id` */
  walletCall(call: WalletCall, answer: Answer<unknown>['kind'], compartment: string, id: unknown): void;
}

/** @param turnsPercent so many of a hundred turns have a line. Each turn that failed has one. */
export function createTurnLog(log: Pick<Log, 'say'>, turnsPercent: number): TurnLog {
  let untold = 0;
  return {
    turn({ address, origin }, { outcome, machine, seconds, reply, error }) {
      const turn = {
        channel: channelOf(address),
        // The name of a network is an address of somebody.
        ...(origin?.kind === 'gateway' && { gateway: origin.name }),
        ...(machine && { machine }),
        ...(reply && { screen: reply.screen.key }),
        outcome,
        ms: Math.round(seconds * 1_000),
      };
      if (outcome === 'shed') return log.say('Too many turns are under way', { channel: turn.channel });
      if (outcome === 'late' || outcome === 'lost') {
        const { at: _at, ...why } = thrown(error);
        return log.say('A turn failed', { ...turn, ...(!reply && why) });
      }
      untold += turnsPercent;
      if (untold < 100) return;
      untold -= 100;
      log.say('A turn was answered', turn);
    },
    walletCall(call, answer, compartment, id) {
      if (answer === 'unsent' || answer === 'unknown')
        log.say('A call to the wallet got no answer', { call, answer, compartment, id });
    },
  };
}
