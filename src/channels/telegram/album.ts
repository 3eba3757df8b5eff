import { createRecent } from '../../conversation/recent.ts';

/** How many albums a process remembers to have answered: their messages come one right after the other. */
const ALBUMS_MAX = 10_000;

/** The results for the messages of an album, which come one by one. */
export interface Albums {
  /** True for a message whose album has been answered, unless it has something to say that the ones before had not. */
  isAnswered(album: string | undefined, hasCode: boolean): boolean;
  answered(album: string | undefined, hasCode: boolean): void;
}

/**
 * An album is one answer, though Telegram brings a message for each of its pictures. We answer the first one, and also
 * the first one with a QR code if that is another. We cannot wait for the others: by webhook the next one comes once
 * this one is answered.
 */
export function createAlbums(): Albums {
  const known = createRecent<string, { readonly hadCode: boolean }>(ALBUMS_MAX);
  return {
    isAnswered(album, hasCode) {
      const answered = album === undefined ? undefined : known.get(album);
      return answered !== undefined && (answered.hadCode || !hasCode);
    },
    answered(album, hasCode) {
      if (album !== undefined) known.set(album, { hadCode: hasCode || known.get(album)?.hadCode === true });
    },
  };
}
