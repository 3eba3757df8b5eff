import { readdirSync, readFileSync } from 'node:fs';
import { LINE_MAX_CHARS } from '../src/conversation/shortcuts/shortcut.ts';
import { understand } from '../src/conversation/shortcuts/understand.ts';

const FOLDERS = ['phrases', 'phrases-cold'].map(
  (folder) => new URL(`../test/conversation/${folder}/`, import.meta.url),
);
const ROUNDS = 5;
const LONG =
  'je voudrais envoyer à mon frère la somme de cent dirhams parce qu’il doit payer sa facture et son crédit de téléphone avant demain matin merci beaucoup pour votre aide et bonne journée à vous tous et à bientôt'.slice(
    0,
    LINE_MAX_CHARS,
  );

/** The cost of understanding what customers write: each phrase of the tables, and a line as long as a line may be. */
export function benchWords(): Promise<object[]> {
  const files = FOLDERS.flatMap((folder) => readdirSync(folder).map((file) => new URL(file, folder)));
  const phrases = files
    .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
    .filter((line) => line !== '' && !line.startsWith('# '))
    .map((line) => line.split(' | ')[0] ?? '');
  return Promise.resolve([
    { phrases: phrases.length, 'CPU µs each': cpuUs(phrases) },
    { phrases: `one of ${LONG.length} characters`, 'CPU µs each': cpuUs(Array<string>(100).fill(LONG)) },
  ]);
}

/** The least of some rounds, after a first one that compiles. */
function cpuUs(lines: readonly string[]): number {
  const rounds = Array.from({ length: ROUNDS + 1 }, () => {
    const from = process.cpuUsage();
    for (const line of lines) understand(line);
    const { user, system } = process.cpuUsage(from);
    return (user + system) / lines.length;
  });
  return Math.round(Math.min(...rounds.slice(1)));
}
