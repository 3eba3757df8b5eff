import type { SentenceKey } from '../conversation/incoming.ts';
import type { DrawReceipt } from '../conversation/served.ts';
import type { Renderer } from '../screen/renderer.ts';
import { PICTURES } from '../wallet/letters.ts';

const LINE_CHARS = 80;

/** A receipt as a PDF, in the words and with the masked values of its card. Undefined for a screen that is no receipt. */
export function receiptFile(renderer: Pick<Renderer, 'chat'>): DrawReceipt {
  return async (screen, language) => {
    const { receipt, direction } = renderer.chat(screen, language);
    if (!receipt) return undefined;
    // Loaded here, because a process that draws no receipt needs no font and no shaper.
    const { pdf } = await import('../pdf/write.ts');
    const say = (key: SentenceKey) => renderer.chat({ key, expects: 'nothing' }, language).text;
    // No font of text has pictures.
    const [said = ''] = receipt.text.replace(PICTURES, '').trim().split('\n');
    const rows = [
      ...wrapped(said).map((line) => [line, ''] as const),
      ['', ''] as const,
      [say('receipt.amount'), receipt.amount] as const,
      ...receipt.rows.map(({ label, value }) => [label, value] as const),
    ];
    return { type: 'application/pdf', bytes: pdf(say('receipt.title'), rows, direction) };
  };
}

function wrapped(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < LINE_CHARS)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
