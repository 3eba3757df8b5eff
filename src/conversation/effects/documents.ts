import { abilitiesOf } from '../channel.ts';
import { counter } from '../session/counter.ts';
import type { EffectOf } from './effect.ts';

/** Documents that one merchant sends in a day: a whole set, several times. */
const DOCUMENTS_PER_DAY_MAX = 40;
const DOCUMENTS = counter({ name: 'documents', max: DOCUMENTS_PER_DAY_MAX, ms: 24 * 3_600_000 });

export const readDocuments: EffectOf<'readDocuments'> = {
  kind: 'read',
  async run(_, { walletDoc: { kyb }, address, formAt }) {
    // Pages are opened from a chat: no SMS leads to one that asks for papers.
    const takesFiles = abilitiesOf(address).opensPages === 'button' && formAt !== undefined;
    return { kind: 'ok', value: { takesFiles, sent: kyb?.sent ?? [], ...(kyb && { client: kyb.client }) } };
  },
};

/** Sends one document, once. What the merchant is told later is that it was sent, which is all that the API lets anybody know. */
export const sendDocument: EffectOf<'sendDocument'> = {
  kind: 'guarded',
  claim: ({ wallet }, _order, { at }) => DOCUMENTS.count(wallet, at),
  async run({ wallet: merchant, client, document }, { api, call, docTypes, takeDocument, at }) {
    const sides = takeDocument();
    // A photo that was sent to the chat, or a process that has ended with the file in hand.
    if (!sides) return { kind: 'none' };
    const answer = await api.sendMerchantDocument({ merchant, docType: docTypes[document], ...sides }, call);
    return answer.kind === 'ok' ? { kind: 'ok', value: { client, document, at } } : answer;
  },
  settle({ wallet }, output) {
    if (output.kind !== 'ok') return { output };
    const { client, document, at } = output.value;
    const others = (wallet.kyb?.sent ?? []).filter((each) => each.document !== document);
    return { output, wallet: { ...wallet, kyb: { client, sent: [...others, { document, at }] } } };
  },
};
