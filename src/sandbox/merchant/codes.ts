import { type Centimes, toDecimal } from '../../wallet/money.ts';
import { fieldsIn, readFields, writeCode, writeFields } from '../../wallet/qr/emvco.ts';

/**
 * What a code of the sandbox names its network. Whether the codes of Moroccan wallets follow EMVCo, and under which name, is
 * not known (facts E6): this one is the sandbox's own and nobody else's.
 */
const SANDBOX_NETWORK = 'test.wasl.sandbox';
/** Where a network that has no field of its own in EMVCo is written. */
const NETWORK_FIELD = '26';
/** All merchants of the sandbox do business here, and sell a bit of everything. */
const CITY = 'Casablanca';
const CATEGORY = '5399';
/** EMVCo: the longest name of a merchant, and the longest text among the additional data. */
const NAME_CHARS_MAX = 25;
const ADDITIONAL_CHARS_MAX = 25;

/** What a code is made of. Without an amount it is static. */
interface NewCode {
  readonly merchant: string;
  readonly name: string;
  readonly reference: string;
  readonly amount: Centimes | undefined;
  /** True where the code hides the merchant's number. */
  readonly masked: boolean;
  readonly billNumber?: string | undefined;
  readonly additionalData?: string | undefined;
}

/** The content of a code, in EMVCo. The plain name is without accents; a second field has it as it is written. */
export function codeContent(code: NewCode): string {
  const { merchant, name, amount, reference, masked, billNumber, additionalData } = code;
  const plain = name.normalize('NFD').replaceAll(/\P{ASCII}/gu, '');
  const more = (text: string | undefined) => text?.slice(0, ADDITIONAL_CHARS_MAX);
  return writeCode([
    ['01', amount === undefined ? '11' : '12'],
    [
      NETWORK_FIELD,
      writeFields([
        ['00', SANDBOX_NETWORK],
        ['01', masked ? `${merchant.slice(0, 5)}******${merchant.slice(-2)}` : merchant],
      ]),
    ],
    ['52', CATEGORY],
    ['53', '504'],
    ['54', amount === undefined ? undefined : toDecimal(amount).toFixed(2)],
    ['58', 'MA'],
    ['59', plain.slice(0, NAME_CHARS_MAX)],
    ['60', CITY],
    [
      '62',
      writeFields([
        ['01', more(billNumber)],
        ['05', reference],
        ['08', more(additionalData)],
      ]),
    ],
    [
      '64',
      plain === name
        ? undefined
        : writeFields([
            ['00', 'FR'],
            ['01', name.slice(0, NAME_CHARS_MAX)],
            ['02', CITY],
          ]),
    ],
  ]);
}

/** What the sandbox reads in a code that is one of its own. */
interface OwnCode {
  readonly reference: string;
  /** As the code has it: masked in some. */
  readonly merchant: string;
}

/** Undefined for a code that is broken, or another network's. */
export function ownCode(content: unknown): OwnCode | undefined {
  if (typeof content !== 'string') return undefined;
  const reading = readFields(content);
  if (!reading.ok) return undefined;
  const network = fieldsIn(reading.fields.get(NETWORK_FIELD) ?? '');
  const more = fieldsIn(reading.fields.get('62') ?? '');
  if (!network.ok || !more.ok || network.fields.get('00') !== SANDBOX_NETWORK) return undefined;
  return { reference: more.fields.get('05') ?? '', merchant: network.fields.get('01') ?? '' };
}
