import { hash } from 'node:crypto';

const CODE_LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/**
 * Everything that looks random comes from the seed, a purpose and a running number of the database. The same seed and the same requests give the same
 * codes, ids and references, also after a restart.
 */
export class Seeded {
  readonly #seed: () => string;

  constructor(seed: () => string) {
    this.#seed = seed;
  }

  /** From 0 to just below 1. */
  share(purpose: string, n: number): number {
    return this.#number(purpose, n, 2 ** 48) / 2 ** 48;
  }

  /** `xxx-xxx`, as v2.3 "Limits" writes it. */
  otp(n: number): string {
    const digits = String(this.#number('otp', n, 1_000_000)).padStart(6, '0');
    return `${digits.slice(0, 3)}-${digits.slice(3)}`;
  }

  /** Twelve digits. The last eight are the running number, so that no two of one purpose are equal. */
  reference(n: number, purpose = 'reference'): string {
    return `${1000 + this.#number(purpose, n, 9000)}${String(n).padStart(8, '0')}`;
  }

  /** `XXXX-XXXX-XXXX`, of letters and digits that are not mistaken for one another. */
  voucherCode(n: number): string {
    const letters = [...this.#digest('voucher', n).subarray(0, 12)].map((byte) => CODE_LETTERS[byte % 32]);
    return letters.join('').replace(/(.{4})(?=.)/g, '$1-');
  }

  uuid(purpose: string, n: number): string {
    const bytes = Buffer.from(this.#digest(purpose, n).subarray(0, 16));
    bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
    return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  }

  #number(purpose: string, n: number, below: number): number {
    return this.#digest(purpose, n).readUIntBE(0, 6) % below;
  }

  #digest(purpose: string, n: number): Buffer {
    return hash('sha256', `${this.#seed()}:${purpose}:${n}`, 'buffer');
  }
}
