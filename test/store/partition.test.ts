import { expect, test } from 'vitest';
import { partitionOf } from '../../src/store/partition.ts';
import { PARTITIONS } from '../../src/store/store.ts';

// The partition is part of every stored key: a change of these numbers loses every customer's conversation.
const KNOWN: readonly [name: string, partition: number][] = [
  ['', 217],
  ['a', 32],
  ['foobar', 244],
  ['+212612345678', 33],
];

test.each(KNOWN)('%o stays in its partition', (name, partition) => {
  expect(partitionOf(name)).toBe(partition);
});

const CROWDS: readonly [label: string, nameOf: (i: number) => string][] = [
  ['MSISDNs in a row', (i) => `+2126${12_000_000 + i}`],
  ['every tenth MSISDN', (i) => `+2126${12_000_000 + i * 10}`],
  ['addresses on USSD', (i) => `ussd:+2126${12_000_000 + i}`],
  ['chats on Telegram', (i) => `telegram:${100_000_000 + i * 7}`],
];

test.each(CROWDS)('%s spread over all partitions', (_label, nameOf) => {
  const each = 400;
  const counts = new Array<number>(PARTITIONS).fill(0);
  for (let i = 0; i < PARTITIONS * each; i++) {
    const partition = partitionOf(nameOf(i));
    counts[partition] = Number(counts[partition]) + 1;
  }
  expect(counts).toHaveLength(PARTITIONS);
  expect(Math.min(...counts)).toBeGreaterThan(each * 0.75);
  expect(Math.max(...counts)).toBeLessThan(each * 1.25);
});
