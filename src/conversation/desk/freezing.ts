import { partitionOf } from '../../store/partition.ts';
import type { Store } from '../../store/store.ts';
import { type Update, update } from '../../store/update.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import { type SafetySettings, thawed, withSafety } from '../session/safety.ts';
import { withoutSecrets } from '../session/talk.ts';
import { type TellDeps, tellWallet } from '../session/tell.ts';
import { type WalletDoc, walletKey, walletStateOf, walletWrite } from '../session/wallet-doc.ts';
import type { Acted, Agent, DeskFreezing } from './desk.ts';

interface FreezingDeps extends TellDeps {
  readonly safety: SafetySettings;
}

/**
 * Support agents freeze a wallet's payments at once. Its customer cannot thaw them then, as the holder of the phone may
 * be another person. To thaw, one agent says why, and another one agrees.
 */
export function createFreezing(deps: FreezingDeps): DeskFreezing {
  return {
    freeze: (wallet, by) => freeze(deps, wallet, by),
    proposeThaw: (wallet, by, reason) => proposeThaw(deps, wallet, by, reason),
    approveThaw: (wallet, by, at) => approveThaw(deps, wallet, by, at),
    withdrawThaw: (wallet) => withdrawThaw(deps, wallet),
  };
}

async function freeze(deps: FreezingDeps, wallet: Msisdn, by: Agent): Promise<Acted> {
  const at = deps.now();
  const acted = await changeWallet(deps.store, wallet, (doc) =>
    doc.safety?.frozen?.by === undefined ? withSafety(doc, { frozen: { at, by: by.id } }) : 'notNow',
  );
  if (acted === 'done') {
    const screen = { key: 'freeze.bySupport', expects: 'nothing' } as const;
    await tellWallet(deps, wallet, {
      name: `frozen-${at}`,
      message: { id: `frozen-${at}`, screen, money: false, about: { state: 'frozen', since: at } },
    });
  }
  return acted;
}

/**
 * Forgets a freeze, waits, wrong PINs and counts, for a player in the simulator who starts again. Called beside the
 * sandbox alone.
 */
export async function startOver(store: Store, wallet: Msisdn): Promise<void> {
  await changeWallet(
    store,
    wallet,
    ({ safety: _frozen, pinTries: _wrong, amountsTried: _tried, counts: _done, ...doc }) => doc,
  );
}

function proposeThaw(
  { store, now }: FreezingDeps,
  wallet: Msisdn,
  by: Agent,
  reason: string,
): Promise<Acted> {
  const proposal = { by: by.id, at: now(), reason: withoutSecrets(reason) };
  return changeWallet(store, wallet, (doc) => {
    const frozen = doc.safety?.frozen;
    return frozen && !frozen.proposal ? withSafety(doc, { frozen: { ...frozen, proposal } }) : 'notNow';
  });
}

function withdrawThaw({ store }: FreezingDeps, wallet: Msisdn): Promise<Acted> {
  return changeWallet(store, wallet, (doc) => {
    if (!doc.safety?.frozen?.proposal) return 'notNow';
    const { proposal: _withdrawn, ...frozen } = doc.safety.frozen;
    return withSafety(doc, { frozen });
  });
}

async function approveThaw(deps: FreezingDeps, wallet: Msisdn, by: Agent, at: number): Promise<Acted> {
  const { store, safety, now } = deps;
  const thawedAt = now();
  const acted = await changeWallet(store, wallet, (doc) => {
    const proposal = doc.safety?.frozen?.proposal;
    // An agent approves only the proposal that they have read. It may have been taken back, and another one made.
    if (proposal?.at !== at) return 'notNow';
    return proposal.by === by.id ? 'sameAgent' : thawed(doc, thawedAt);
  });
  if (acted === 'done') {
    const values = {
      until: { date: thawedAt + safety.coolDownMs },
      amount: { money: safety.coolDownAbove },
    };
    const screen = { key: 'freeze.thawed', values, expects: 'nothing' } as const;
    await tellWallet(deps, wallet, {
      name: `thawed-${thawedAt}`,
      message: { id: `thawed-${thawedAt}`, screen, money: false, about: { state: 'frozen' } },
    });
  }
  return acted;
}

/** Changes a wallet's document, or says why it cannot be. */
export function changeWallet(
  store: Store,
  wallet: Msisdn,
  to: (doc: WalletDoc) => WalletDoc | Exclude<Acted, 'done'>,
): Promise<Acted> {
  return update(store, partitionOf(wallet), [walletKey(wallet)], (doc): Update<Acted> => {
    const state = walletStateOf(doc);
    const after = to(state.value);
    if (typeof after === 'string') return { result: after };
    return { writes: [walletWrite(wallet, state, after)], durable: true, result: 'done' };
  });
}
