import type { Context } from 'hono';
import type { Answer } from '../../wallet/answer.ts';
import type { Guarded } from '../access/guard.ts';
import { refusalName } from '../names.ts';
import { type ConsoleKey, say } from '../sentences.ts';
import type { Note } from './parts.ts';

type Ctx = Context<Guarded>;

/** Something that has to be filled in was left out. */
export function incompleteNote(c: Ctx): Note {
  return noteOf(c, 'console.principalIncomplete');
}

/** The wallet has not done what was asked of it, or nobody knows whether it has. */
export function failedNote(c: Ctx, result: Answer<unknown>): Note {
  if (result.kind === 'refused') return noteOf(c, 'console.walletRefused', result.code);
  return noteOf(c, result.kind === 'unsent' ? 'console.walletSilent' : 'console.principalUnknown');
}

function noteOf(c: Ctx, key: ConsoleKey, code = ''): Note {
  c.set('refusal', code || key);
  const words = [say(c.var.language, key, { code: { code } }), refusalName(code, c.var.language)];
  return { good: false, words: words.filter(Boolean).join(' ') };
}
