/** A machine as a graph, for people to look at. */
export interface Chart {
  readonly machine: string;
  readonly initial: string;
  readonly states: readonly {
    readonly name: string;
    /** The work of the bot in this state: it asks the customer, calls the wallet, decides at once, or is done. */
    readonly does: 'asks' | 'calls' | 'decides' | 'ends';
  }[];
  readonly arrows: readonly { readonly from: string; readonly to: string; readonly on: string }[];
}
