/** What slides up over a chat of the smartphone: the rows of a list, or the page that a button leads to. */

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
