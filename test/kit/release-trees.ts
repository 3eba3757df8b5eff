import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LANGUAGES } from '../../src/conversation/incoming.ts';
import { ROOT } from './tree.ts';

/** The files of a running release, and the command that keeps it for the next one. */
const TREE = ['CHANGELOG.md', 'package.json', 'locales', 'machines', 'releases', 'src', 'tools'];

/** Copies this tree: the release that runs before the deploy. */
export function thisRelease(directory: string): string {
  return copied(ROOT, directory);
}

/**
 * Makes the release after another one: the same tree after the release command, with four changes. Transfers ask for a
 * reason (chart), their order has a `reason` (schema), two sentence keys are renamed, one of them in stored messages,
 * and a session counts its `visits` (document).
 */
export function nextRelease(from: string, directory: string, { kept = true } = {}): string {
  const tree = copied(from, directory);
  if (kept) release(tree);
  for (const [file, edits] of Object.entries(CHANGES)) edit(join(tree, file), edits);
  for (const language of LANGUAGES) changeSentences(join(tree, `locales/${language}/transfer.json`));
  return tree;
}

/** Runs the release command in a tree. */
export function release(tree: string): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/release.ts'], {
    cwd: tree,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the release command failed: ${stderr}`);
  return stdout;
}

function copied(from: string, directory: string): string {
  mkdirSync(directory, { recursive: true });
  for (const part of TREE) {
    if (existsSync(join(from, part))) cpSync(join(from, part), join(directory, part), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  return directory;
}

type Edit = readonly [old: string, changed: string];
const CHANGES: Readonly<Record<string, readonly Edit[]>> = {
  'machines/transfer.ts': [
    ["id: 'transfer',\n  context:", "id: 'transfer',\n  version: '2',\n  context:"],
    [
      "        target: 'previewing',\n        know: (amount, context) => placeOrder({ ...context, amount }),\n",
      "        target: 'askingReason',\n        know: (amount) => ({ amount }),\n",
    ],
    [
      "    askingAmount: state({\n      tags: 'resumable',",
      `    askingReason: state({
      tags: 'resumable',
      shows: ({ to }) => ({ key: 'transfer.askReason', values: { to: { phone: known(to) } }, expects: 'name' }),
      said: typed((text) => ({ ok: true, value: text }), {
        target: 'previewing',
        know: (reason, context) => placeOrder({ ...context, reason }),
      }),
      back: 'askingAmount',
    }),
    askingAmount: state({
      tags: 'resumable',`,
    ],
    ["key: 'transfer.askAmount'", "key: 'transfer.howMuch'"],
    [
      '  const { wallet, to, amount } = context;\n',
      '  const { wallet, to, amount, reason } = context as Transferring & { reason?: string };\n',
    ],
    ['      amount: known(amount),\n', '      amount: known(amount),\n      ...(reason && { reason }),\n'],
  ],
  'src/payments/transfer.ts': [
    ['  readonly to: Msisdn;\n', '  readonly to: Msisdn;\n  readonly reason?: string;\n'],
    [
      "    done: (_facts, _order, { recipientName, maskedName }) =>\n      (recipientName ?? maskedName) ? 'transfer.doneNamed' : undefined,\n",
      "    done: () => 'transfer.sent',\n",
    ],
    [
      'function requestOf({ from, to, amount, beneficiaryId }: TransferOrder)',
      'function requestOf({ from, to, amount, beneficiaryId, reason = DEFAULT_REASON }: TransferOrder)',
    ],
    ['{ from, to, amount, reason: DEFAULT_REASON, ...', '{ from, to, amount, reason, ...'],
  ],
  'src/conversation/session/session.ts': [
    [
      'return { ...session, seen: [...session.seen, id]',
      'return { ...session, visits: (session.visits ?? 0) + 1, seen: [...session.seen, id]',
    ],
    [
      '  readonly seen: readonly string[];\n',
      '  readonly visits?: number;\n  readonly seen: readonly string[];\n',
    ],
  ],
  'machines/kit/claims.ts': [
    [
      '  transfer: {\n    ...BY_PIN,\n',
      "  transfer: {\n    ...BY_PIN,\n    ...says('moved', 'sent'),\n    ...says('nothing', 'howMuch askReason'),\n",
    ],
  ],
  'machines/kit/sentence-names.ts': [
    ["  'transfer': ['called',", "  'transfer': ['sent', 'howMuch', 'askReason', 'called',"],
  ],
};

/** Throws where the tree has changed so much that an edit does not fit: the rehearsal would be of nothing. */
function edit(path: string, edits: readonly Edit[]): void {
  let text = readFileSync(path, 'utf8');
  for (const [old, changed] of edits) {
    if (text.split(old).length !== 2) throw new Error(`${path} has no single place for: ${old}`);
    text = text.replace(old, () => changed);
  }
  writeFileSync(path, text);
}

function changeSentences(path: string): void {
  const sentences: Record<string, string> = JSON.parse(readFileSync(path, 'utf8'));
  const renamed = Object.entries(sentences).map(([name, sentence]) => [
    name.replace(/^askAmount(?=_|$)/, 'howMuch').replace(/^done(?=_|$)/, 'sent'),
    sentence,
  ]);
  writeFileSync(path, JSON.stringify({ ...Object.fromEntries(renamed), askReason: 'Motif ?' }));
}
