/** The simulator page: two phones, who owns them, and how a newcomer sends money between them. */

import { createBehind } from './behind.js';
import { createBotChat } from './bot-chat.js';
import { createFaults } from './faults.js';
import { createHandset } from './handset.js';
import { chips, freshNumber, national, posted, watchBalance, watchCounter, watchInbox } from './phone.js';
import { createTour } from './tour.js';

const LABELS = JSON.parse(document.getElementById('labels').textContent);
const $ = (id) => document.getElementById(id);

const LOOK_MS = 100;
/** A run takes longer: the one before, in this browser or another, has sent another amount. */
const AMOUNT_STANDS_MS = 20_000;
let language = guessLanguage();

function label(name, values = {}) {
  return LABELS[language][name].replace(/\{\{(\w+)\}\}/g, (_, value) => values[value]);
}

/** From 50 to 97: 98 and 99 are keys on the phone. */
function freshAmount() {
  return String(50 + (Math.floor(Date.now() / AMOUNT_STANDS_MS) % 48));
}

/** As the conversation writes it (`src/screen/values.ts`). */
function money(dirhams) {
  const text = new Intl.NumberFormat(language === 'en' ? 'en' : 'fr', { minimumFractionDigits: 2 }).format(
    dirhams,
  );
  return digits(text.replaceAll('\u202f', '\u00a0'));
}

/** A number or code inside a sentence that reads from the right; and a name, which may read either way. */
const digits = (text) => `\u2066${text}\u2069`;
const person = (text) => `\u2068${text}\u2069`;

const start = await fetch('/simulator/start')
  .then((answer) => (answer.ok ? answer.json() : undefined))
  .catch(() => undefined);
translate();
if (start) run(start);
else $('trouble').textContent = label('unavailable');

function run({
  customers,
  serviceCode,
  sandboxUrl,
  faults: faultNames,
  telegram: hasTelegram,
  whatsapp: hasWhatsApp,
  behind: hasBehind,
  console: hasConsole,
}) {
  $('trouble').hidden = true;
  $('console').hidden = !hasConsole;
  $('sandbox').href = sandboxUrl;
  $('sandbox').hidden = false;
  const known = new Map(customers.map((customer) => [customer.phone, customer]));
  const active = customers.filter(({ status }) => status === 3);
  const owners = {
    ussd: chosen('ussd') ?? active[0]?.phone ?? freshNumber(),
    chat: chosen('chat') ?? active[1]?.phone ?? freshNumber(),
  };
  const codes = {};
  /** What each wallet had when its owner got the phone or the run began, and what it has now. */
  const balances = {};
  let amount = freshAmount();
  /** Open references for cash, by the phone. */
  const cash = {};
  const handset = createHandset({ owner: () => owners.ussd, serviceCode, label });
  const faults = createFaults({ names: faultNames, label, press });
  const apps = openApps();
  const typeInto = {
    ussd: handset.type,
    chat: (text) => (apps[appOnShow()]?.type ?? typeInChat)(text),
  };
  const tour = createTour({ steps: tourSteps, label });
  const behind = hasBehind && openBehind();
  const looks = Object.fromEntries(['ussd', 'chat'].map((phone) => [phone, inbox(phone)]));

  for (const phone of ['ussd', 'chat']) {
    $(`${phone}-owner`).addEventListener('change', ({ target }) => {
      owners[phone] = target.value || freshNumber();
      delete balances[phone];
      sessionStorage.setItem(phone, owners[phone]);
      codes[phone] = undefined;
      if (phone === 'chat') {
        void newChat();
        for (const app of Object.values(apps)) void app.look();
      } else {
        handset.rest();
      }
      drawOwners();
      looks[phone]();
    });
  }
  $('new-chat').addEventListener('click', newChat);
  $('start-over').addEventListener('click', async () => {
    await startOver();
    handset.rest();
    drawOwners();
    await newChat();
  });
  // There is one switch: that of the page, for both phones.
  $('chat-frame').addEventListener('load', () => inChat('#languages')?.style.setProperty('display', 'none'));
  $('languages').addEventListener('click', async ({ target }) => {
    if (!target.value) return;
    language = target.value;
    localStorage.setItem('wasl-language', language);
    translate();
    inChat(`#languages [value="${language}"]`)?.click();
    void speaks(language).then(handset.redial);
    drawOwners();
    handset.relabel();
    faults.draw();
    tour.relabel();
    if (behind) behind.relabel();
  });
  const looksAtBalance = ['ussd', 'chat'].map((phone) =>
    watchBalance(
      () => owners[phone],
      (now) => {
        if (balances[phone]?.now === now) return;
        balances[phone] = { before: balances[phone]?.before ?? now, now };
        drawBalances();
      },
    ),
  );
  for (const look of looksAtBalance) void look();
  for (const tab of $('tabs').children) tab.addEventListener('click', () => choose(tab.value));
  $('tabs').addEventListener('keydown', ({ key }) => {
    if (key !== 'ArrowLeft' && key !== 'ArrowRight') return;
    const tabs = [...$('tabs').children].filter((tab) => !tab.hidden && tab.offsetParent !== null);
    const step = (key === 'ArrowRight') === (document.documentElement.dir === 'ltr') ? 1 : -1;
    const at = tabs.findIndex((tab) => tab.ariaSelected === 'true');
    const other = tabs.at((at + step) % tabs.length);
    choose(other.value);
    other.focus();
  });

  $('chat-frame').src = `/chat?language=${language}`;
  drawOwners();
  choose('ussd');
  handset.rest();
  for (const look of Object.values(looks)) look();
  for (const app of Object.values(apps)) void app.look();

  function drawOwners() {
    const name = (phone) => known.get(phone)?.name.split(' ')[0] ?? national(phone);
    const names = {
      sender: person(name(owners.ussd)),
      recipient: person(name(owners.chat)),
      amount: digits(amount),
    };
    for (const [phone, owner] of Object.entries({ ussd: names.sender, chat: names.recipient }))
      $(`tab-${phone}`).querySelector('span').textContent =
        phone === 'ussd' ? label('tabUssd', { owner }) : label('tabChat', { owner });
    drawBalances();
    [...$('steps').children].forEach((step, i) => {
      const text = label(`step${i + 1}`, { ...names, code: digits(serviceCode) });
      step.replaceChildren(Object.assign(document.createElement('span'), { textContent: text }));
    });
    for (const phone of ['ussd', 'chat']) {
      drawOwner(phone);
      drawChips(phone);
    }
  }

  /** `Soldes  Fatima : 3 500,00 → 3 437,00 DH`. */
  function drawBalances() {
    const entries = ['ussd', 'chat'].flatMap((phone) => {
      const { before, now } = balances[phone] ?? {};
      if (typeof now !== 'number') return [];
      const owner = person(known.get(owners[phone])?.name.split(' ')[0] ?? national(owners[phone]));
      const values = { owner, before: money(before), now: money(now) };
      const text = before === now ? label('balance', values) : label('balanceChanged', values);
      const entry = document.createElement('span');
      entry.textContent = text;
      entry.classList.toggle('changed', before !== now);
      return [entry];
    });
    const title = Object.assign(document.createElement('span'), { textContent: label('balances') });
    $('balances').replaceChildren(...(entries.length > 0 ? [title, ...entries] : []));
  }

  function drawOwner(phone) {
    const owner = owners[phone];
    const options = customers.map((customer) => {
      const status = customer.status === 3 ? '' : ` · ${label(`status${customer.status}`)}`;
      return new Option(`${person(customer.name)}${status}`, customer.phone);
    });
    options.push(new Option(label('newNumber'), known.has(owner) ? '' : owner));
    $(`${phone}-owner`).replaceChildren(...options);
    $(`${phone}-owner`).value = owner;
    $(`${phone}-number`).textContent = national(owner).match(/../g).join('\u00a0');
  }

  function drawChips(phone) {
    const owner = owners[phone];
    const other = owners[phone === 'ussd' ? 'chat' : 'ussd'];
    const pin = known.get(owner)?.pin;
    const code = codes[phone];
    const number = (each) => ({
      label: `${known.get(each)?.name.split(' ')[0] ?? ''} ${digits(national(each))}`.trim(),
      text: national(each),
    });
    // A chat does not know whose it is until its customer says so; a keypad phone brings its number along.
    const entries = phone === 'chat' ? [number(owner)] : [];
    if (code) {
      // A code works once: its button makes room for the next one.
      const used = () => {
        codes[phone] = undefined;
        drawChips(phone);
      };
      entries.push({ label: label('code', { code: digits(code) }), text: code, used });
    }
    if (pin) entries.push({ label: label('pin', { pin: digits(pin) }), text: pin });
    entries.push(number(other));
    for (const { id, kind, amount } of cash[phone] ?? []) {
      const done = () => {
        cash[phone] = cash[phone].filter((each) => each.id !== id);
        drawChips(phone);
      };
      const values = { amount: digits(String(amount)) };
      const at = kind === 'cash-in' ? label('counterIn', values) : label('counterOut', values);
      entries.push({ label: at, run: () => void posted('counter', { phone: owner, id }), used: done });
    }
    chips($(`${phone}-chips`), entries, typeInto[phone]);
  }

  /** What the guided run does: whose phones they are it leaves as they are, unless somebody has no wallet to send with. */
  function tourSteps() {
    if (!known.get(owners.ussd)?.pin) own('ussd', active[0].phone);
    if (!known.get(owners.chat)?.pin || owners.chat === owners.ussd)
      own('chat', active.find(({ phone }) => phone !== owners.ussd).phone);
    const name = (phone) => person(known.get(phone).name.split(' ')[0]);
    // The same amount once more would be asked about: it was sent a moment ago.
    amount = freshAmount();
    drawOwners();
    const values = () => ({
      sender: name(owners.ussd),
      recipient: name(owners.chat),
      code: digits(serviceCode),
      amount: digits(amount),
    });
    const enters = (text) => () => handset.enters(text);
    const steps = [
      ['chat', 'tourLink', begins, () => codes.chat !== undefined && chat.asks('otp')],
      ['chat', 'tourCode', () => chat.enters(codes.chat), () => chat.asks('pin')],
      ['chat', 'tourPin', () => chat.enters(known.get(owners.chat).pin), () => chat.asks('choice')],
      ['ussd', 'tourDial', dials, handset.isOpen],
      ['ussd', 'tourSend', enters('1'), handset.isOpen],
      ['ussd', 'tourSend', enters(national(owners.chat)), handset.isOpen],
      ['ussd', 'tourAmount', enters(amount), handset.isOpen],
      ['ussd', 'tourConfirm', enters(known.get(owners.ussd).pin), () => !handset.isOpen()],
      ['chat', 'tourArrived', () => {}, () => chat.hasNews(), 3],
    ];
    return steps.map(([phone, says, run, until, step = phone === 'chat' ? 1 : 2]) => ({
      says: () => label(says, values()),
      step,
      run: (seen) => {
        choose(phone);
        return run(seen);
      },
      until,
    }));

    async function begins(seen) {
      openApp('chat');
      await startOver();
      const before = $('chat-frame').contentDocument;
      await newChat();
      await seen(
        () => $('chat-frame').contentDocument !== before && chat.isIdle() && inChat('.bubble') != null,
      );
      await chat.enters(national(owners.chat));
    }

    async function dials() {
      await speaks(language);
      handset.rest();
      await handset.enters(serviceCode);
    }
  }

  /** Both owners have their PIN and money as at first, and one more code. No code from before is offered any more. */
  async function startOver() {
    await posted('start-over', { phones: [owners.ussd, owners.chat] });
    for (const phone of ['ussd', 'chat']) delete balances[phone];
    await Promise.all(looksAtBalance.map((look) => look()));
    // A code that is not in the list yet would be taken for a new one.
    await looks.chat();
    codes.chat = undefined;
  }

  function own(phone, owner) {
    $(`${phone}-owner`).value = owner;
    $(`${phone}-owner`).dispatchEvent(new Event('change'));
  }

  /** The keypad phone's next session speaks this language. */
  function speaks(spoken) {
    return posted('language', { phone: owners.ussd, language: spoken });
  }

  /** The smartphone has several ways to the wallet; whose it is, all know from the phone. */
  function openApps() {
    const played = [
      ...(hasWhatsApp ? [{ app: 'whatsapp', prefix: 'wa', begins: () => label('whatsappHello') }] : []),
      ...(hasTelegram ? [{ app: 'telegram', prefix: 'tg', begins: () => '/start' }] : []),
    ];
    const buttonOf = (app) => $('apps').querySelector(`[value="${app}"]`);
    for (const app of ['whatsapp', 'telegram'])
      buttonOf(app).hidden = !played.some((each) => each.app === app);
    $('apps').hidden = played.length === 0;
    $('apps').addEventListener('click', ({ target }) => {
      if (target.value) openApp(target.value);
    });
    const last = sessionStorage.getItem('app');
    openApp(played.some(({ app }) => app === last) ? last : 'chat');
    const news = (where, on) => where.classList.toggle('news', on);
    const open = (each) =>
      createBotChat({
        ...each,
        owner: () => owners.chat,
        language: () => language,
        label,
        onNews: () => {
          news(buttonOf(each.app), appOnShow() !== each.app);
          news($('tab-chat'), !$('chat').classList.contains('chosen'));
        },
      });
    const opened = Object.fromEntries(played.map((each) => [each.app, open(each)]));
    translate();
    return opened;
  }

  /** Beside the phones where there is room, and behind a tab of its own where there is not. */
  function openBehind() {
    for (const id of ['behind', 'behind-open', 'tab-behind']) $(id).hidden = false;
    const nameOf = (phone) => known.get(phone)?.name.split(' ')[0];
    const opened = createBehind({
      phones: () => [owners.ussd, owners.chat],
      // A web chat has no number in its address: it is the smartphone's.
      name: (address) => {
        const phone = `+${address.replace(/\D/g, '')}`;
        const owner = address.startsWith('web:') ? owners.chat : phone;
        return person(nameOf(owner) ?? national(owner));
      },
      label,
    });
    const show = (isOpen) => {
      document.body.classList.toggle('is-behind', isOpen);
      $('behind-open').ariaExpanded = String(isOpen);
      opened.opens(isOpen || $('behind').classList.contains('chosen'));
    };
    $('behind-open').addEventListener('click', () => show($('behind-open').ariaExpanded !== 'true'));
    $('tabs').addEventListener('click', () => show(document.body.classList.contains('is-behind')));
    $('tabs').addEventListener('keyup', () => show(document.body.classList.contains('is-behind')));
    return opened;
  }

  function inbox(phone) {
    watchCounter(
      () => owners[phone],
      (open) => {
        cash[phone] = open;
        drawChips(phone);
      },
    );
    return watchInbox({
      list: $(`${phone}-sms`),
      empty: $(`${phone}-empty`),
      phone: () => owners[phone],
      onCode: (code) => {
        codes[phone] = code;
        drawChips(phone);
      },
      onNew: () => $(`tab-${phone}`).classList.toggle('news', !$(phone).classList.contains('chosen')),
    });
  }
}

/** The chat is on our own origin, so its field is within reach. */
function typeInChat(text) {
  const field = inChat('#answer');
  if (!field) return;
  field.value = text;
  field.focus({ preventScroll: true });
}

function inChat(selector) {
  return $('chat-frame').contentDocument?.querySelector(selector);
}

/** How the guided run sees the chat, and writes in it. */
const FIELD_OF = {
  otp: '[autocomplete="one-time-code"]',
  pin: '[type="password"]',
  choice: ':not([type="password"])',
};
const chat = {
  isIdle: () => inChat('#composer .send')?.disabled === false && inChat('#typing')?.hidden === true,
  asks: (what) => chat.isIdle() && inChat(`#answer${FIELD_OF[what]}`) != null,
  hasNews: () => inChat('.bubble.news') != null,
  async enters(text) {
    typeInChat(text);
    inChat('#composer').requestSubmit();
    // It is busy from the next turn of the page's own loop on.
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  },
};

async function newChat() {
  await fetch('/chat/leave', { method: 'POST' });
  $('chat-frame').src = `/chat?language=${language}`;
}

function openApp(app) {
  sessionStorage.setItem('app', app);
  press($('apps'), app);
  for (const element of document.querySelectorAll('[data-app]')) element.hidden = element.dataset.app !== app;
  $('apps').querySelector(`[value="${app}"]`).classList.remove('news');
}

function appOnShow() {
  return $('apps').querySelector('[aria-pressed="true"]').value;
}

/** On a narrow page one phone is shown at a time. */
function choose(phone) {
  for (const tab of $('tabs').children) {
    const is = tab.value === phone;
    tab.ariaSelected = String(is);
    tab.tabIndex = is ? 0 : -1;
    $(tab.value).classList.toggle('chosen', is);
    if (is) tab.classList.remove('news');
  }
}

function press(group, value) {
  for (const button of group.children) button.ariaPressed = String(button.value === value);
}

function translate() {
  document.documentElement.lang = language;
  document.documentElement.dir = language === 'ar' ? 'rtl' : 'ltr';
  document.title = label('title');
  for (const element of document.querySelectorAll('[data-label]')) {
    element.textContent = label(element.dataset.label);
  }
  for (const element of document.querySelectorAll('[data-aria]')) {
    element.ariaLabel = label(element.dataset.aria);
  }
  for (const element of document.querySelectorAll('[data-title]')) {
    element.title = label(element.dataset.title);
  }
  press($('languages'), language);
}

/** What the newcomer chose before reloading the page. */
function chosen(phone) {
  return sessionStorage.getItem(phone) ?? undefined;
}

function guessLanguage() {
  const wanted = [localStorage.getItem('wasl-language'), ...navigator.languages];
  const known = wanted.map((tag) => tag?.slice(0, 2)).find((tag) => tag in LABELS);
  return known ?? 'fr';
}
