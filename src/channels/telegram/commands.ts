import type { Api } from 'grammy';
import { LANGUAGES, type Language, type SentenceKey } from '../../conversation/incoming.ts';
import type { Stage } from './show.ts';

/** The updates that Telegram sends us: `my_chat_member` tells of blocks (facts B1). */
export const ALLOWED_UPDATES = ['message', 'edited_message', 'callback_query', 'my_chat_member'] as const;

/**
 * The commands of the menu button, and the sentences that describe them. Commands for merchants alone are not in
 * everybody's list.
 */
const COMMANDS: Readonly<Record<string, SentenceKey>> = {
  menu: 'nav.menu',
  transfer: 'menu.transfer',
  balance: 'menu.balance',
  topup: 'menu.top-up',
  bill: 'menu.bill-payment',
  voucher: 'shopping.voucher',
  merchant: 'transfer.merchant',
  statement: 'menu.statement',
  account: 'menu.account',
  language: 'account.language',
  help: 'nav.help',
  cancel: 'telegram.cancel',
};

/** Names the commands in every language we speak, for private chats. Other people read them in `otherwise`. */
export async function nameCommands(api: Api, stage: Pick<Stage, 'say'>, otherwise: Language): Promise<void> {
  const inLanguage = (language: Language) =>
    Object.entries(COMMANDS).map(([command, key]) => ({ command, description: stage.say(key, language) }));
  const scope = { type: 'all_private_chats' } as const;
  await api.setMyCommands(inLanguage(otherwise), { scope });
  for (const language of LANGUAGES)
    await api.setMyCommands(inLanguage(language), { scope, language_code: language });
}
