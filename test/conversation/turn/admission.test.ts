import { describe, expect, test } from 'vitest';
import { admitting, Overloaded } from '../../../src/conversation/turn/admission.ts';

describe('turns under way', () => {
  function scene(max: number) {
    const begun: PromiseWithResolvers<string>[] = [];
    const work = admitting(max, (_who: string) => {
      const turn = Promise.withResolvers<string>();
      begun.push(turn);
      return turn.promise;
    });
    return { begun, work };
  }

  test('one too many is refused at once, and not begun', async () => {
    const { begun, work } = scene(2);
    const turns = [work('a'), work('b')];
    await expect(work('c')).rejects.toThrow(Overloaded);
    expect(begun).toHaveLength(2);
    for (const turn of begun) turn.resolve('done');
    expect(await Promise.all(turns)).toEqual(['done', 'done']);
  });

  test.each<[string, (turn: PromiseWithResolvers<string> | undefined) => void]>([
    ['is answered', (turn) => turn?.resolve('done')],
    ['is lost', (turn) => turn?.reject(new Error('lost'))],
  ])('a turn that %s makes room for the next one', async (_label, ends) => {
    const { begun, work } = scene(1);
    const first = work('a').catch(() => 'lost');
    ends(begun[0]);
    await first;
    const next = work('b');
    begun[1]?.resolve('done');
    expect(await next).toBe('done');
  });
});
