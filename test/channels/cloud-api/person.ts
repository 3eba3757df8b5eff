import { buttonsOf, type Shown } from './rules.ts';
import type { Sent } from './server.ts';
import type { WorldWhatsApp } from './stage.ts';

let lastPerson = 1_000;
let lastMessage = 0;

/** A person with WhatsApp on their phone. Every act resolves once its turn is done. */
export function createPerson(
  { api, inbox }: Pick<WorldWhatsApp, 'api' | 'inbox'>,
  { id = `MA.${++lastPerson}` } = {},
) {
  let last: object | undefined;

  async function does(message: object, more: object = {}): Promise<number> {
    const timestamp = String(Math.floor(api.now() / 1_000));
    const wamid = `wamid.in${++lastMessage}`;
    last = {
      contacts: [{ profile: { name: 'Test' }, user_id: id }],
      messages: [{ from_user_id: id, id: wamid, timestamp, ...message, ...more }],
    };
    return again();
  }
  async function again(): Promise<number> {
    api.heard.set(id, api.now());
    const status = await api.webhook(last ?? {});
    await inbox.rests(`whatsapp:${id}`);
    return status;
  }
  const chat = () => api.sent.filter(({ to }) => to === id);
  const press = (type: 'button_reply' | 'list_reply', button: { id: string; title: string }) =>
    does({ type: 'interactive', interactive: { type, [type]: button } });

  return {
    id,
    chat,
    does,
    again,
    screen(): Shown {
      const shown = chat().at(-1)?.shown;
      if (!shown) throw new Error('Wasl has said nothing');
      return shown;
    },
    says: (body: string) => does({ type: 'text', text: { body } }),
    sharesContact: (phone: string, origin = 'contact_request') =>
      does({ type: 'contacts', contacts: [{ origin, phones: [{ phone: `+${phone}`, wa_id: phone }] }] }),
    sendsPhoto: (bytes: Uint8Array, type = 'image/png') =>
      does({ type: 'image', image: { id: api.addFile(bytes, type), mime_type: type } }),
    sendsDocument: (bytes: Uint8Array, type: string, filename: string) =>
      does({ type: 'document', document: { id: api.addFile(bytes, type), mime_type: type, filename } }),
    /** Presses a button or a row of any message, the newest that has it unless one is named. */
    async presses(is: (button: { id: string; title: string }) => boolean, on?: Sent): Promise<void> {
      const message = on ?? chat().findLast(({ shown }) => buttonsOf(shown).some(is));
      const button = message && buttonsOf(message.shown).find(is);
      if (!button)
        throw new Error(
          `no such button among ${chat().flatMap(({ shown }) => buttonsOf(shown).map(({ title }) => title))}`,
        );
      await press(
        message.shown.type === 'interactive' && message.shown.interactive.type === 'list'
          ? 'list_reply'
          : 'button_reply',
        button,
      );
    },
  };
}

export type Person = ReturnType<typeof createPerson>;
