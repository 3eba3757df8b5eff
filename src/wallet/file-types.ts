import type { KycFileType } from './contract/kyc.ts';

/** A file, as the wallet is given it. */
export interface DocumentFile {
  readonly type: KycFileType;
  readonly bytes: Uint8Array;
}

/** Partner API v2.3 shows no limit. Ours is the sandbox's (docs/api-open-questions.md, 10). */
export const DOCUMENT_FILE_BYTES_MAX = 5_000_000;
/** Both sides, and the form's bytes around them. */
export const DOCUMENT_BODY_BYTES_MAX = 2 * DOCUMENT_FILE_BYTES_MAX + 64 * 1024;

/** A document of a merchant: two sides, where it has them. */
export interface DocumentSides {
  readonly front: DocumentFile;
  readonly back?: DocumentFile;
}

/** The first bytes of every file of a type (PNG, third edition, 5.2; ISO/IEC 10918-1, B.1.1.3; ISO 32000-1, 7.5.2). */
const BEGINNINGS: Readonly<Record<KycFileType, readonly number[]>> = {
  'image/png': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  'image/jpeg': [0xff, 0xd8, 0xff],
  'application/pdf': [0x25, 0x50, 0x44, 0x46, 0x2d],
};

/** The type of a file by its first bytes, not by its name. Undefined for a type that no document has. */
export function fileTypeOf(bytes: Uint8Array): KycFileType | undefined {
  const all = Object.entries(BEGINNINGS) as [KycFileType, readonly number[]][];
  return all.find(([, beginning]) => beginning.every((byte, i) => bytes[i] === byte))?.[0];
}

/** Why a file cannot be sent as a side of a document. */
type Unfit = 'empty' | 'tooLarge' | 'otherType';

/** A file that the wallet accepts, or the reason against it. Its bytes decide, not its name or its declared type. */
export function documentFileOf(bytes: Uint8Array): DocumentFile | Unfit {
  if (bytes.length === 0) return 'empty';
  if (bytes.length > DOCUMENT_FILE_BYTES_MAX) return 'tooLarge';
  const type = fileTypeOf(bytes);
  return type ? { type, bytes } : 'otherType';
}
