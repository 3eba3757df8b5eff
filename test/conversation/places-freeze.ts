import { refused, type World } from '../kit/world.ts';
import { before, enters, lapses, type Path, type Places, rest, user, when } from './place.ts';

const frozen: Path = (world) => user(world).says('/freeze');
const atPin = (world: World) => frozen(world).chooses('thaw');
const atCode = (world: World) => atPin(world).enters();

export const FREEZE_PLACES: Places = {
  'freeze.frozen': before('menu.choose', frozen),
  'freeze.held': before('menu.choose', (world) => frozen(world).says('/transfer')),
  'freeze.askingPin': before('menu.choose', atPin, 'freeze.frozen'),
  'freeze.lapsed': before('menu.choose', lapses(atPin)),
  'freeze.refusedLogin': rest(when(atPin, 'login', refused('90006'), enters)),
  'freeze.askingCode': before('menu.choose', atCode, 'freeze.frozen'),
  'freeze.thawed': rest((world) => atCode(world).entersCodeFromSms()),
};
