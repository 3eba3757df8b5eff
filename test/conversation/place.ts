import type { PaymentKind } from '../../src/payments/payments.ts';
import type { Answer } from '../../src/wallet/answer.ts';
import { centimes } from '../../src/wallet/money.ts';
import type { Preview, Wallet } from '../../src/wallet/wallet.ts';
import { type Customer, LOST, refused, type World } from '../kit/world.ts';

export type Path = (world: World) => Customer;
type Step = (customer: Customer) => Customer;

/** How a customer comes to stand somewhere, and where the ways lead from there (navigation is the same everywhere). */
export interface Place {
  readonly path: Path;
  readonly back: string;
  /** The menu of this customer. */
  readonly menu?: string;
  /** The screen after "cancel", unless it is the menu. */
  readonly cancel?: string;
  /** False where there is nothing to cancel. */
  readonly cancelled?: false;
  /** The screen after help and language, if it is another one. */
  readonly after?: string;
  /** The screen's key when it is shown again, where it names its moment then. */
  readonly again?: string;
}
export type Places = Readonly<Record<string, Place>>;

export const before = (menu: string, path: Path, back = menu): Place => ({ path, back, menu });
/** Places that lead home in every direction, and where there is nothing left to cancel. */
export const rest = (path: Path, menu = 'menu.choose'): Place => ({
  path,
  back: menu,
  menu,
  cancelled: false,
});
/** Money is under way: it cannot be cancelled, and says how it stands. */
const underWay = (path: Path, key: string, menu: string): Place => ({ path, back: menu, menu, cancel: key });

export const user: Path = (world) => world.customer().isAtMenu();
export const enters: Step = (customer) => customer.enters();
/** The prompt closes, which an answer that comes too late shows. */
export const lapses =
  (path: Path): Path =>
  (world) =>
    path(world).after(120_000).says('bonjour');
/** The wallet answers the next call like this, once the customer has come that far. */
export const when =
  (path: Path, name: keyof Wallet, instead: Parameters<World['wallet']['next']>[1], then: Step): Path =>
  (world) =>
    then(path(world).meanwhile(() => world.wallet.next(name, instead)));

/** The price has changed since the customer was shown it: the prompt has closed, and the payment is gone on with. */
export const dearer =
  (path: Path, preview: keyof Wallet): Path =>
  (world) =>
    lapses(path)(world)
      .meanwhile(() => world.wallet.next(preview, DEARER as never))
      .chooses('continue')
      .isTold('pay.changed');
const DEARER = async (ask: () => Promise<Answer<Preview>>): Promise<Answer<Preview>> => {
  const answer = await ask();
  if (answer.kind !== 'ok') return answer;
  const { fees, total } = answer.value;
  return { kind: 'ok', value: { ...answer.value, fees: centimes(fees + 100), total: centimes(total + 100) } };
};

/** Another payment of the same wallet has no outcome yet: it is made in a chat, once the customer has come that far. */
export const whilePaying =
  (path: Path, then: Step): Path =>
  (world) => {
    const customer = path(world);
    const chat = world.chatOf(customer);
    const pays = async () => {
      world.wallet.next('transfer', LOST);
      await chat.isAtMenu().says('/transfer').says('0655000009').says('30').enters();
      await chat.sees('transfer.notConfirmed');
    };
    return then(customer.meanwhile(pays));
  };

/** The customer freezes their payments in a chat, once they have come that far. */
export const whileFreezing =
  (path: Path, then: Step): Path =>
  (world) => {
    const customer = path(world);
    const freezes = async () => {
      await world.chatOf(customer).isAtMenu().says('/freeze').sees('freeze.frozen');
    };
    return then(customer.meanwhile(freezes));
  };

/**
 * The places of the paying tail in a conversation whose payments are done with the wallet's answer.
 * @param of.orders from the menu to the PIN
 * @param of.waits the same, for a payment whose outcome is only known later
 * @param of.amend the screen after "back" at the PIN
 */
export function payingPlaces(
  kind: PaymentKind,
  of: {
    readonly orders: (customer: Customer) => unknown;
    readonly waits: (customer: Customer) => unknown;
    readonly preview: keyof Wallet;
    readonly pay: keyof Wallet;
    readonly amend: string;
    /** The payer at their menu. Absent: any customer. */
    readonly who?: Path;
    /** The menu of the payer. Absent: the menu of customers. */
    readonly menu?: string;
    /** The answers of the wallet before each order. */
    readonly looks?: (world: World) => () => void;
    /** The balance pays, which may be too low. */
    readonly fromBalance?: true;
    /** The machine that makes it, where that makes others, too. */
    readonly machine?: string;
  },
): Places {
  const { menu = 'menu.choose', looks, machine = kind } = of;
  const who: Path = (world) => {
    const customer = (of.who ?? user)(world);
    return looks ? customer.meanwhile(looks(world)) : customer;
  };
  const rests = (path: Path): Place => rest(path, menu);
  const orders: Step = (customer) => customer.walks(of.orders);
  const atPin: Path = (world) => orders(who(world));
  const asked = dearer(atPin, of.preview);
  const waiting: Path = (world) => who(world).walks(of.waits).enters();
  return {
    [`${machine}.confirming`]: before(menu, asked, of.amend),
    [`${machine}.unavailable`]: before(menu, when(who, of.preview, LOST, orders), of.amend),
    [`${machine}.busy`]: before(menu, whilePaying(atPin, enters), of.amend),
    [`${machine}.held`]: before(menu, whileFreezing(atPin, enters), of.amend),
    ...(of.fromBalance && {
      [`${machine}.tooLow`]: before(menu, when(who, of.preview, refused('90010'), orders), of.amend),
    }),
    [`${machine}.notSent`]: rests((world) => whileFreezing(atPin, enters)(world).chooses('cancel')),
    [`${machine}.notEnabled`]: rests(when(who, of.preview, refused('http404'), orders)),
    [`${machine}.cancelled`]: rests((world) => asked(world).chooses('cancel')),
    [`${machine}.askingPin`]: before(menu, atPin, of.amend),
    [`${machine}.lapsed`]: before(menu, lapses(atPin)),
    [`${machine}.refusedLogin`]: rests(when(atPin, 'login', refused('90006'), enters)),
    [`${machine}.processing`]: underWay(waiting, `${kind}.processing`, menu),
    [`${machine}.notConfirmed`]: underWay(when(atPin, of.pay, LOST, enters), `${kind}.notConfirmed`, menu),
    [`${machine}.settled`]: rests((world) => enters(atPin(world))),
    [`${machine}.refused`]: rests(when(atPin, of.pay, refused('90010'), enters)),
  };
}
