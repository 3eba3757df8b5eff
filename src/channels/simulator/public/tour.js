/** The guided run: it sends money from one phone to the other on its own, can be paused, and leaves both phones to whoever watches. */

/** So long a sentence is left to be read before its step is done, and what came of it before the next one. */
const READ_MS = 2_000;
const SEEN_MS = 1_000;
const LOOK_MS = 100;
const STEP_MAX_MS = 20_000;

const $ = (id) => document.getElementById(id);

/** The viewer goes on by hand. */
class Stopped extends Error {}

/**
 * @param steps what is done, in its order: each says what it does (`says`), does it (`run`) and is over once
 *   something can be seen (`until`). A `run` that waits for something itself does so by the function that it is given, which gives up as the run does
 */
export function createTour({ steps, label }) {
  let running = false;
  let isPaused = false;
  let said;

  $('tour').addEventListener('click', () => void play());
  $('tour-pause').addEventListener('click', () => {
    isPaused = !isPaused;
    draw();
  });
  $('tour-stop').addEventListener('click', () => {
    running = false;
    isPaused = false;
    said = undefined;
    draw();
  });

  async function play() {
    if (running) return;
    running = true;
    isPaused = false;
    try {
      for (const step of steps()) {
        say(step);
        await pass(READ_MS);
        await step.run(seen);
        await seen(step.until);
        await pass(SEEN_MS);
      }
    } catch (error) {
      if (!(error instanceof Stopped)) say({ says: () => label('tourFailed') });
    } finally {
      running = false;
      isPaused = false;
      draw();
    }
  }

  /** Lets time pass while nobody has paused. */
  async function pass(ms) {
    for (let left = ms; left > 0; left -= isPaused ? 0 : LOOK_MS) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      if (!running) throw new Stopped();
    }
  }

  async function seen(until) {
    for (let left = STEP_MAX_MS; !until(); left -= LOOK_MS) {
      if (left <= 0) throw new Error('nothing came of a step');
      await pass(LOOK_MS);
    }
  }

  function say(step) {
    said = step;
    draw();
  }

  function draw() {
    $('tour').hidden = running;
    $('start-over').hidden = running;
    $('tour-controls').hidden = !running;
    $('tour-pause').textContent = isPaused ? label('tourGoOn') : label('tourPause');
    $('tour-pause').ariaPressed = String(isPaused);
    $('tour-now').textContent = said?.says() ?? '';
    [...$('steps').children].forEach((step, i) => {
      step.ariaCurrent = running && said?.step === i + 1 ? 'step' : null;
    });
  }

  return { relabel: draw };
}
