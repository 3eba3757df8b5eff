import { type Centimes, toDecimal } from '../../wallet/money.ts';
import { fieldsIn, readFields, writeCode, writeFields } from '../../wallet/qr/emvco.ts';

/**
 * The name of the network in a code of the sandbox. It is not known whether the codes of Moroccan wallets follow EMVCo, and
 * under which name (facts E6). This name is the sandbox's own.
 */
const SANDBOX_NETWORK = 'test.wasl.sandbox';
/** The field of a network that has none of its own in EMVCo. */
const NETWORK_FIELD = '26';
/** All merchants of the sandbox do business here, and sell a bit of everything. */
const CITY = 'Casablanca';
const CATEGORY = '5399';
/** EMVCo: the longest name of a merchant, and the longest text among the additional data. */
const NAME_CHARS_MAX = 25;
const ADDITIONAL_CHARS_MAX = 25;

/** The content of a new code. Without an amount it is static. */
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

/** The content of a code, in EMVCo. The plain name is without accents. A second field has it as it is written. */
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

/** The content of a code that is the sandbox's own. */
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
