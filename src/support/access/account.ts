import { z } from 'zod';
import type { Sealed } from '../../../machines/kit/secret.ts';
import type { Language } from '../../conversation/incoming.ts';
import { codec, textOf } from '../../store/codec.ts';
import type { Role } from './roles.ts';

const sealed = textOf<Sealed>();
const YES = z.literal(true).exactOptional();
const ACCOUNT = z.object({
  /** `nadia.b`: what one signs in with. */
  id: z.string(),
  /** The name that customers read. */
  name: z.string(),
  role: textOf<Role>(),
  /** Sign-ins of an earlier epoch have ended. */
  epoch: z.number(),
  /** The time of its creation, in ms since 1970. Absent for accounts that an earlier release has made. */
  since: z.number().exactOptional(),
  disabled: YES,
  language: textOf<Language>().exactOptional(),
  password: z.string().exactOptional(),
  /** The sealed secret of the authenticator app, and the newest step whose code was used. */
  factor: z.object({ secret: sealed, usedTo: z.number() }).exactOptional(),
  /** A link that its owner has not used yet. */
  setUp: z.object({ digest: z.string(), until: z.number(), secret: sealed }).exactOptional(),
  /**
   * The only administrator who stands behind this account: who made or reset it and held its link, or who alone has confirmed an
   * account that nobody here has made. The two count as one person ("four eyes").
   */
  madeBy: z.string().exactOptional(),
  /** An administrator other than `madeBy`, or the command, says that this is one person's own account. Nobody else counts as a second person. */
  confirmed: YES,
  /** Signs in with the company's own sign-in, and nowhere else. */
  oidc: YES,
  /** Made by the link that a start with the sandbox prints. Of no use anywhere else. */
  demo: YES,
});
export type Account = Readonly<z.infer<typeof ACCOUNT>>;
export type Book = Readonly<Record<string, Account>>;
export const accountsCodec = codec<Book>('book of accounts', z.record(z.string(), ACCOUNT));

/** The account of that name. */
export function accountIn(book: Book, id: string): Account | undefined {
  return Object.hasOwn(book, id) ? book[id] : undefined;
}
