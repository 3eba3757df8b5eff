/** The fault control: what goes wrong when money is sent, and whether it strikes the next time, always or never. */

const LOOK_MS = 1000;
const $ = (id) => document.getElementById(id);

/**
 * @param names the faults that the sandbox knows.
 * @param label gives a sentence of the page's language.
 * @param press shows which button of a group is pressed.
 */
export function createFaults({ names, label, press }) {
  const [select, times] = [$('fault'), $('fault-times')];
  let current;

  function draw() {
    const chosen = current?.name ?? select.value;
    select.replaceChildren(...names.map((name) => new Option(label(`fault_${name}`), name)));
    if (chosen) select.value = chosen;
    press(times, !current ? 'off' : current.count ? 'once' : 'always');
    $('fault-set').textContent = current ? label(`fault_${current.name}`) : '';
  }

  async function ask(options) {
    const answer = await fetch('/simulator/faults', options).catch(() => undefined);
    if (!answer?.ok) return;
    [current] = await answer.json();
    draw();
  }

  const set = (name, how) =>
    ask({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name, times: how }),
    });

  select.addEventListener('change', () => {
    if (current) void set(select.value, current.count ? 'once' : 'always');
  });
  times.addEventListener('click', ({ target }) => {
    if (target.value) void set(select.value, target.value);
  });
  // A fault for the next payment is gone once it has struck.
  setInterval(() => {
    if (current?.count && document.visibilityState === 'visible') void ask();
  }, LOOK_MS);

  $('faults').hidden = names.length === 0;
  draw();
  if (names.length > 0) void ask();
  return { draw };
}
