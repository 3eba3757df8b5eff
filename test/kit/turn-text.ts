import type { InputDone, TurnEvent } from '../../src/conversation/record/turn-event.ts';

/** A turn in a few words, for lists in tests: `said 200`, `gave pin`, `login`, `takeOver by nadia`. */
export function textOf(event: TurnEvent): string {
  switch (event.kind) {
    case 'input':
      return inputText(event.input);
    case 'time':
      return event.kind;
    case 'call':
      return event.end === 'answered' ? event.effect : `${event.effect} ${event.end}`;
    case 'payment':
      return `payment ${event.from ?? 'rebuilt'} > ${event.to}: ${event.why}`;
    case 'reference':
      return `reference ${event.from} > ${event.to}`;
    case 'agent':
      return `${event.act} by ${event.by}`;
  }
}

function inputText(input: InputDone): string {
  switch (input.type) {
    case 'said':
      return words(input.type, input.text);
    case 'chose':
      return words(input.type, input.choice);
    case 'gave':
      return words(input.type, input.secret);
    case 'went':
      return words(input.type, input.to);
    default:
      return input.type;
  }
}

function words(...all: readonly (string | undefined)[]): string {
  return all.filter((each) => each !== undefined).join(' ');
}
