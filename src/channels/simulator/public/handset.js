/** The keypad phone. It speaks to the USSD endpoint exactly as Africa's Talking would: a form, all answers joined by `*`. */

import { measure } from './septets.js';

/** On a touch screen the keypad is for typing; the field would only call up another keyboard. */
const HAS_KEYBOARD = matchMedia('(hover: hover)').matches;

const $ = (id) => document.getElementById(id);
const ui = {
  shell: $('handset'),
  text: $('page'),
  form: $('handset'),
  field: $('typed'),
  keypad: $('keypad'),
  call: $('call'),
  hangUp: $('hang-up'),
  erase: $('erase'),
  state: $('session'),
  meter: $('meter'),
  units: $('units'),
  encoding: $('encoding'),
};

/** @param owner gives the number of the phone; `label` a sentence of the page's language. */
export function createHandset({ owner, serviceCode, label }) {
  let session;
  let busy = false;

  async function dial(dialled) {
    const answers = dialled
      .replace(/#$/, '')
      .slice(serviceCode.length - 1)
      .replace(/^\*/, '');
    session = {
      id: `sim_${crypto.randomUUID()}`,
      answers: answers === '' ? [] : answers.split('*'),
      started: Date.now(),
    };
    await ask();
  }

  async function ask() {
    const asked = session;
    busy = true;
    draw({ text: label('calling'), own: true });
    const form = { sessionId: asked.id, text: asked.answers.join('*') };
    const answer = await post('/ussd/africastalking', form).catch(() => undefined);
    const text = answer?.ok ? await answer.text() : '';
    // Whoever has hung up meanwhile reads it no more: another dial may be on its way.
    if (session !== asked) return;
    busy = false;
    const [, kind, page] = /^(CON|END) ([\s\S]+)$/.exec(text) ?? [];
    if (kind) draw({ text: page });
    else draw({ text: label('silent'), own: true });
    if (kind !== 'CON') end(kind ? 'Success' : 'Failed');
    state();
    if (HAS_KEYBOARD) ui.field.focus({ preventScroll: true });
  }

  /** The gateway tells the application that the session is over, also when the customer hung up. */
  function end(status) {
    if (!session) return;
    const { started, answers } = session;
    post('/ussd/africastalking/end', {
      sessionId: session.id,
      status,
      durationInMillis: String(Date.now() - started),
      hopsCount: String(answers.length + 1),
      input: answers.join('*'),
    }).catch(() => undefined);
    session = undefined;
  }

  function post(path, fields) {
    const common = { phoneNumber: owner(), networkCode: '99999', serviceCode };
    return fetch(path, { method: 'POST', body: new URLSearchParams({ ...common, ...fields }) });
  }

  function draw({ text, own = false }) {
    const rtl = /[\u0600-\u06ff]/.test(text);
    ui.text.textContent = text;
    ui.text.dir = rtl ? 'rtl' : 'ltr';
    ui.text.lang = rtl ? 'ar' : '';
    ui.text.scrollTop = 0;
    ui.shell.classList.toggle('waiting', busy);
    ui.meter.classList.toggle('blank', own);
    if (own) return;
    const { encoding, used, max } = measure(text);
    ui.units.textContent = label('units', { used, max });
    ui.encoding.textContent = label(encoding);
    const bar = ui.meter.querySelector('meter');
    Object.assign(bar, { max, value: used });
  }

  function state() {
    ui.shell.classList.toggle('in-session', session !== undefined);
    ui.state.textContent = session ? label('open') : label('over');
    ui.call.ariaLabel = session ? label('send') : label('dial');
    ui.hangUp.disabled = !session;
  }

  async function submit() {
    if (busy) return;
    const typed = ui.field.value.trim();
    ui.field.value = '';
    if (session) {
      if (typed === '') return;
      session.answers.push(typed);
      await ask();
      return;
    }
    const code = typed === '' ? serviceCode : typed;
    if (code === serviceCode || (code.startsWith(`${serviceCode.slice(0, -1)}*`) && code.endsWith('#')))
      await dial(code);
    else draw({ text: label('silent'), own: true });
  }

  function hangUp() {
    end('Incomplete');
    rest();
  }

  /** The phone lies on the table: nothing runs, the code waits to be dialled. */
  function rest() {
    session = undefined;
    busy = false;
    ui.field.value = '';
    // Isolated, or Arabic turns the code around.
    draw({ text: label('ready', { code: `\u2066${serviceCode}\u2069` }), own: true });
    state();
    ui.state.textContent = '';
    ui.field.value = serviceCode;
  }

  ui.form.addEventListener('submit', (event) => {
    event.preventDefault();
    void submit();
  });
  ui.keypad.addEventListener('click', ({ target }) => {
    const key = target.closest('button[value]');
    if (key) type(key.value, { add: true });
  });
  ui.field.addEventListener('focus', () => {
    if (ui.field.value === serviceCode) ui.field.select();
  });
  ui.erase.addEventListener('click', () => {
    ui.field.value = ui.field.value.slice(0, -1);
  });
  ui.hangUp.addEventListener('click', hangUp);

  function type(text, { add = false } = {}) {
    // The code that waits on a resting phone gives way to what is typed.
    const before = add && ui.field.value !== serviceCode ? ui.field.value : '';
    ui.field.value = before + text;
    if (!add && HAS_KEYBOARD) ui.field.focus({ preventScroll: true });
  }

  return {
    rest: () => {
      end('Incomplete');
      rest();
    },
    redial: async () => {
      if (!session) return rest();
      end('Incomplete');
      await dial(serviceCode);
    },
    type,
    isOpen: () => session !== undefined && !busy,
    async enters(text) {
      ui.field.value = text;
      await submit();
    },
    relabel: () => {
      if (!session && ui.meter.classList.contains('blank')) rest();
      else state();
    },
  };
}
