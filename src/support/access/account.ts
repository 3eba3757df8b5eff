import { z } from 'zod';
import type { Sealed } from '../../../machines/kit/secret.ts';
import type { Language } from '../../conversation/incoming.ts';
import { codec, textOf } from '../../store/codec.ts';
import type { Role } from './roles.ts';

export interface Account {
  /** `nadia.b`: what one signs in with. */
  readonly id: string;
  /** The name that customers read. */
  readonly name: string;
  readonly role: Role;
  /** Sign-ins of an earlier epoch have ended. */
  readonly epoch: number;
  /** The time of its creation, in ms since 1970. Absent for accounts that an earlier release has made. */
  readonly since?: number;
  readonly disabled?: true;
  readonly language?: Language;
  /** A scrypt hash. */
  readonly password?: string;
  /** The sealed secret of the authenticator app, and the newest step whose code was used. */
  readonly factor?: { readonly secret: Sealed; readonly usedTo: number };
  /** A link that its owner has not used yet. */
  readonly setUp?: { readonly digest: string; readonly until: number; readonly secret: Sealed };
  /**
   * The only administrator who stands behind this account: who made or reset it and held its link, or who alone has confirmed an
   * account that nobody here has made. The two count as one person ("four eyes").
   */
  readonly madeBy?: string;
  /** An administrator other than `madeBy`, or the command, says that this is one person's own account. Nobody else counts as a second person. */
  readonly confirmed?: true;
  /** Signs in with the company's own sign-in, and nowhere else. */
  readonly oidc?: true;
  /** Made by the link that a start with the sandbox prints. Of no use anywhere else. */
  readonly demo?: true;
}

export type Book = Readonly<Record<string, Account>>;
const sealed = textOf<Sealed>();
const YES = z.literal(true).exactOptional();
export const accountsCodec = codec<Book>(
  'book of accounts',
  z.record(
    z.string(),
    z.object({
      id: z.string(),
      name: z.string(),
      role: textOf<Role>(),
      epoch: z.number(),
      since: z.number().exactOptional(),
      disabled: YES,
      language: textOf<Language>().exactOptional(),
      password: z.string().exactOptional(),
      factor: z.object({ secret: sealed, usedTo: z.number() }).exactOptional(),
      setUp: z.object({ digest: z.string(), until: z.number(), secret: sealed }).exactOptional(),
      madeBy: z.string().exactOptional(),
      confirmed: YES,
      oidc: YES,
      demo: YES,
    }),
  ),
);

/** The account of that name. */
export function accountIn(book: Book, id: string): Account | undefined {
  return Object.hasOwn(book, id) ? book[id] : undefined;
}
