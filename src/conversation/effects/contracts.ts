import { withContract } from '../session/kept-contracts.ts';
import { isAnothers } from '../session/linking.ts';
import { type EffectOf, read } from './effect.ts';

/** Another owner of the number may have been found out in this very turn, whose commit drops the contracts. */
export const readContracts: EffectOf<'readContracts'> = read(async (_, { walletDoc }) => ({
  kind: 'ok',
  value: (walletDoc.contracts ?? [])
    .filter((kept) => !isAnothers(walletDoc, kept))
    .map(({ owner: _whose, ...contract }) => contract),
}));

/** The claim does all of it. */
export const keepContract: EffectOf<'keepContract'> = {
  kind: 'guarded',
  claim: ({ wallet }, { contract }) => ({
    wallet: contract ? withContract(wallet, contract) : { ...wallet, contracts: [] },
  }),
  run: async () => ({ kind: 'ok', value: true }),
};
