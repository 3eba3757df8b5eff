import type { Incoming } from '../conversation/incoming.ts';
import type { Secrets } from '../conversation/secrets.ts';

/** A short name for some texts: equal texts give equal names, and nothing leads back from the name to them. */
export type Digest = (...parts: readonly string[]) => string;

/**
 * Makes digests of several texts. An input's id may be made from a PIN, and there are only ten thousand PINs. A plain
 * hash would be guessed at once, a keyed one cannot be (secrets pass through).
 */
export function createDigest(secrets: Pick<Secrets, 'digest'>): Digest {
  return (...parts) => secrets.digest(joined(parts));
}

/** Gives an input its id, and that of the dialog that it belongs to. */
export type InputIds = (
  id: readonly string[],
  dialog?: readonly string[],
) => Pick<Incoming, 'id' | 'dialog' | 'formerly'>;

/** Makes an input's ids, also those that it would have had under the other keys: a dial goes on while one key replaces another. */
export function createInputIds(secrets: Pick<Secrets, 'digests'>): InputIds {
  return (id, dialog) => {
    const ids = secrets.digests(joined(id));
    const dialogs = dialog ? secrets.digests(joined(dialog)) : [];
    const [first = { id: '' }, ...formerly] = ids.map((each, i) => {
      const itsDialog = dialogs[i];
      return itsDialog === undefined ? { id: each } : { id: each, dialog: itsDialog };
    });
    return formerly.length > 0 ? { ...first, formerly } : first;
  };
}

/** Joined as JSON, so that ('a', 'bc') and ('ab', 'c') differ. */
function joined(parts: readonly string[]): string {
  return JSON.stringify(parts);
}
