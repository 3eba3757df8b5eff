import { LOST, refused } from '../kit/meddler.ts';
import { CREDITORS, findsWater, goesTo, ordersWater, SEVERAL } from '../machines/bill-orders.ts';
import {
  dearer,
  enters,
  before as fromMenu,
  type Path,
  type Place,
  rest,
  when,
  whileFreezing,
  whilePaying,
} from './place.ts';

/** A contract that no other place has paid. */
let last = 7_000_000;
const contract = () => String(last++);

const user: Path = (world) => world.customer({ balance: '9000' }).isAtMenu();
const searching: Path = (world) => user(world).chooses('bill-payment');
const at =
  (creditor: string): Path =>
  (world) =>
    user(world).walks(goesTo(creditor));
const atPin: Path = (world) => user(world).walks(ordersWater(contract()));
/** Of a contract that no place pays. */
const atPinOfSeveral: Path = (world) => user(world).walks(ordersWater(SEVERAL));
const found: Path = (world) => atPinOfSeveral(world).goes('back').sees('bill-payment.selectNone');
const asked = dearer(atPinOfSeveral, 'previewBill');
const school: Path = (world) => at(CREDITORS.school)(world).says('E1234').says('Zoé');
const paid: Path = (world) => atPin(world).enters().sees('bill-payment.doneSettled');
const listed: Path = (world) => paid(world).goes('menu').chooses('bill-payment').chooses('history');

const before = (path: Path, back: string): Place => fromMenu('menu.choose', path, back);

/** Every place in a bill payment where a customer can be left standing. */
export const BILL_PLACES: Readonly<Record<string, Place>> = {
  'bill-payment.choosingCreditor': before(searching, 'menu.choose'),
  'bill-payment.closed': rest((world) => {
    // Creditors are kept for three hours.
    world.clock.ahead += 4 * 3_600_000;
    return when(user, 'creditors', LOST, (it) => it.chooses('bill-payment'))(world);
  }),
  'bill-payment.saved': rest((world) => paid(world).chooses('keep')),
  'bill-payment.choosingReceivable': before(at(CREDITORS.amendis), 'bill-payment.chooseCreditor'),
  'bill-payment.offering': before(school, 'bill-payment.ask'),
  'bill-payment.asking': before(at(CREDITORS.redal), 'bill-payment.chooseCreditor'),
  'bill-payment.askingWhatWasMeant': before(
    (world) => at(CREDITORS.syndic)(world).says('12').says('0'),
    'bill-payment.ask',
  ),
  'bill-payment.nothingToPay': before(
    (world) => user(world).walks(findsWater('0990000107')),
    'bill-payment.ask',
  ),
  'bill-payment.unreached': before(
    (world) => user(world).walks(findsWater('0990000108')),
    'bill-payment.ask',
  ),
  'bill-payment.reviewing': before(found, 'bill-payment.ask'),
  'bill-payment.selecting': before(
    (world) =>
      world
        .customer({ channel: 'web', balance: '9000' })
        .isAtMenu()
        .walks(findsWater(SEVERAL))
        .chooses('some'),
    'bill-payment.reviewFor',
  ),
  'bill-payment.confirming': before(asked, 'bill-payment.selectNone'),
  'bill-payment.unavailable': before(
    when(found, 'previewBill', LOST, (it) => it.chooses('all')),
    'bill-payment.selectNone',
  ),
  'bill-payment.busy': before(
    whilePaying(found, (it) => it.chooses('all')),
    'bill-payment.selectNone',
  ),
  'bill-payment.held': before(
    whileFreezing(found, (it) => it.chooses('all')),
    'bill-payment.selectNone',
  ),
  'bill-payment.tooLow': before(
    when(found, 'previewBill', refused('90010'), (it) => it.chooses('all')),
    'bill-payment.selectNone',
  ),
  'bill-payment.notSent': rest((world) =>
    whileFreezing(found, (it) => it.chooses('all'))(world).chooses('cancel'),
  ),
  'bill-payment.askingPin': before(atPinOfSeveral, 'bill-payment.selectNone'),
  'bill-payment.lapsed': before((world) => atPin(world).after(120_000).says('bonjour'), 'menu.choose'),
  'bill-payment.refusedLogin': rest(when(atPin, 'login', refused('90006'), enters)),
  'bill-payment.processing': {
    path: (world) => user(world).walks(ordersWater('0990000908')).enters(),
    back: 'menu.choose',
    cancel: 'bill-payment.processing',
  },
  'bill-payment.notConfirmed': {
    path: when(atPin, 'payBill', LOST, enters),
    back: 'menu.choose',
    cancel: 'bill-payment.notConfirmed',
  },
  'bill-payment.settled': rest(paid),
  'bill-payment.refused': rest(when(atPin, 'payBill', refused('90010'), enters)),
  'bill-payment.cancelled': rest((world) => asked(world).chooses('cancel')),
  'bill-payment.showingHistory': before(listed, 'bill-payment.chooseCreditor'),
  'bill-payment.showingPayment': before((world) => listed(world).chooses('0'), 'bill-payment.listHistory'),
  'bill-payment.notEnabled': rest(
    when(searching, 'receivables', refused('http404'), (it) => it.chooses(CREDITORS.amendis)),
  ),
};
