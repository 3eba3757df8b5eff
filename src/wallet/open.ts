import type { Base } from '../base.ts';
import { createWallet } from './client.ts';
import type { Wallet } from './wallet.ts';

/**
 * The wallet twice, so that background work can neither take customers' connections nor have their calls turned away. If
 * there are records, the wallet's names of customers are noted.
 */
export function open(
  { url, apiKey }: { readonly url: string; readonly apiKey: string },
  base: Pick<Base, 'circuits' | 'measured' | 'tracing' | 'onOdd' | 'clock' | 'hearNames' | 'log'>,
) {
  const { circuits, measured, tracing, onOdd, clock, log } = base;
  const over = (compartment: 'customers' | 'background'): Wallet => {
    const client = createWallet({
      url,
      apiKey,
      compartment,
      headers: tracing?.headers,
      onOdd,
      clock,
      onOpen: (use) => circuits.opened(compartment, use),
      onChange(calls, isOpen) {
        circuits.changed(compartment, calls, isOpen);
        log[isOpen ? 'say' : 'over']('The wallet does not respond', { calls, compartment });
      },
    });
    const api = measured.wallet(client, compartment);
    return tracing?.wallet(api) ?? api;
  };
  const [api, backgroundApi] = [over('customers'), over('background')];
  return {
    api: base.hearNames(api, backgroundApi),
    backgroundApi: base.hearNames(backgroundApi, backgroundApi),
    skewMs: clock.skewMs,
  };
}
