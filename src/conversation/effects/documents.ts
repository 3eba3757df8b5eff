import type { InputOf, OutputOf } from '../../../machines/kit/effects.ts';
import { type DocumentFile, type DocumentSides, documentFileOf } from '../../wallet/file-types.ts';
import { abilitiesOf } from '../channel.ts';
import { counter } from '../session/counter.ts';
import { type EffectEnv, type EffectOf, read } from './effect.ts';

/** Documents that one merchant sends in a day: a whole set, several times. */
const DOCUMENTS_PER_DAY_MAX = 40;
const DOCUMENTS = counter({ name: 'documents', max: DOCUMENTS_PER_DAY_MAX, ms: 24 * 3_600_000 });

export const readDocuments: EffectOf<'readDocuments'> = read(async (_, { walletDoc: { kyb }, address }) => {
  // They are sent in a chat, or on the page that it leads to: no SMS leads to one that asks for papers.
  const takesFiles = abilitiesOf(address).sendsFiles;
  return { kind: 'ok', value: { takesFiles, sent: kyb?.sent ?? [], ...(kyb && { client: kyb.client }) } };
});

/**
 * Sends one document, once. Its files are fetched just before that, and are in the memory of this call alone. Later the
 * bot only tells the merchant that it was sent, as the API tells no more.
 */
export const sendDocument: EffectOf<'sendDocument'> = {
  kind: 'guarded',
  claim: ({ wallet }, _order, { at }) => DOCUMENTS.count(wallet, at),
  async run(order, env) {
    const { wallet: merchant, client, document, files } = order;
    const {
      api,
      call,
      served: { docTypes },
      chat,
      at,
    } = env;
    const sides = await sidesOf(order, env);
    if ('kind' in sides) return sides;
    const answer = await api.sendMerchantDocument({ merchant, docType: docTypes[document], ...sides }, call);
    if (answer.kind !== 'ok') return answer;
    // Identity papers must not stay in a chat. If they were not sent, they stay, as they are sent again.
    const left = files.length > 0 && ((await chat?.eraseFiles(files)) ? 'erased' : 'left');
    return { kind: 'ok', value: { client, document, at, ...(left && { inChat: left }) } };
  },
  settle({ wallet }, output) {
    if (output.kind !== 'ok') return { output };
    const { client, document, at } = output.value;
    const others = (wallet.kyb?.sent ?? []).filter((each) => each.document !== document);
    return { output, wallet: { ...wallet, kyb: { client, sent: [...others, { document, at }] } } };
  },
};

type NotSent = Extract<OutputOf<'sendDocument'>, { kind: 'none' | 'unfit' }>;

/** The files of a document, the front first: those of the chat, and then those in hand. */
async function sidesOf(
  { files, sides }: Pick<InputOf<'sendDocument'>, 'files' | 'sides'>,
  { chat, came }: Pick<EffectEnv, 'chat' | 'came'>,
): Promise<DocumentSides | NotSent> {
  const fetched = await Promise.all(files.map(async (file) => (await chat?.fetchFile(file)) ?? 'gone'));
  const given = [...fetched, ...(came.document?.take() ?? [])];
  const found: DocumentFile[] = [];
  for (const [side, bytes] of given.slice(0, sides).entries()) {
    const file = typeof bytes === 'string' ? bytes : documentFileOf(bytes);
    if (typeof file === 'string') return { kind: 'unfit', side, why: file };
    found.push(file);
  }
  const [front, back] = found;
  // A process that has ended with a file in hand, or a picture that was read for its code.
  if (!front || found.length < sides) return { kind: 'none' };
  return { front, ...(back && { back }) };
}
