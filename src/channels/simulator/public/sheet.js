/** What slides up over a chat of the smartphone: the rows of a list, or the page or the Flow that a button leads to. */

import { buttonOf } from './bot-message.js';

/** Pages of ours that end by themselves, as they do inside a real app. */
const ENDED = ['given', 'cancelled'];

export function createSheet(element, { label }) {
  let opener;

  function show(title, body) {
    opener ??= document.activeElement;
    const close = buttonOf('×', shut);
    close.className = 'close';
    close.ariaLabel = label('whatsappClose');
    const name = Object.assign(document.createElement('strong'), { textContent: title });
    const bar = document.createElement('header');
    bar.append(name, close);
    element.replaceChildren(bar, body);
    element.ariaLabel = title;
    element.hidden = false;
    (body.querySelector?.('button') ?? close).focus({ preventScroll: true });
  }

  function shut() {
    element.hidden = true;
    element.replaceChildren();
    opener?.focus({ preventScroll: true });
    opener = undefined;
  }

  element.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') shut();
  });
  return {
    close: shut,
    list(title, rows, choose) {
      const list = document.createElement('div');
      list.className = 'rows';
      for (const { text, data, detail } of rows) {
        const row = buttonOf(text, () => {
          shut();
          void choose(data);
        });
        if (detail !== undefined)
          row.append(Object.assign(document.createElement('small'), { textContent: detail }));
        list.append(row);
      }
      show(title, list);
    },
    /**
     * A Flow asks for a secret, until it was taken.
     * @param ask gives the endpoint an answer, and resolves with its next screen, or with nothing where it is over
     */
    async flow(title, ask) {
      const form = Object.assign(document.createElement('form'), { className: 'flow', autocomplete: 'off' });
      const field = Object.assign(document.createElement('input'), { type: 'password', name: 'secret' });
      const [send, label] = ['button', 'label'].map((tag) => document.createElement(tag));
      const [question, wrong] = ['p', 'p'].map((tag) => document.createElement(tag));
      Object.assign(wrong, { className: 'wrong', role: 'alert' });
      send.className = 'tg-start';
      field.required = true;
      form.append(question, label, wrong, send);
      const draw = (next) => {
        if (next?.screen !== 'SECRET') return shut();
        question.textContent = next.data.question;
        label.replaceChildren(next.data.label, field);
        wrong.textContent = next.data.error_message ?? '';
        send.textContent = next.data.send;
        field.value = '';
        if (element.hidden) show(title, form);
        field.focus({ preventScroll: true });
      };
      form.addEventListener('submit', async (event) => {
        event.preventDefault();
        draw(await ask(field.value));
      });
      draw(await ask());
    },
    /** A page of ours is shown on the phone. Any other, such as a bank's, has a tab of its own. */
    page(title, url) {
      const { pathname } = new URL(url);
      if (!pathname.startsWith('/form/')) return void window.open(url, '_blank', 'noopener');
      const frame = Object.assign(document.createElement('iframe'), { src: pathname, title });
      frame.addEventListener('load', () => {
        if (ENDED.includes(frame.contentDocument?.body?.dataset.page)) shut();
      });
      show(title, frame);
    },
  };
}
