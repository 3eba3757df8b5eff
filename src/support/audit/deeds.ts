import type { AuditQuery } from '../../records/records.ts';

/** The acts in the audit, in the groups that it is filtered by: each look at a session, every act, each refusal, and all about accounts and sign-ins. */
export const ACTS_BY_GROUP = {
  cases: [
    ...['seeCase', 'nextCase', 'dealCase', 'returnCase', 'setAway', 'giveCase', 'changeCase'],
    ...['snoozeCase', 'labelCase', 'mergeCase', 'closeCase', 'reopenCase', 'addNote'],
    ...['runMacro', 'answerHelp'],
  ],
  conversations: [
    ...['seeSession', 'takeOver', 'takeFrom', 'handBack', 'write', 'sendFile', 'seeFile'],
    ...['nudge', 'toMenu', 'end'],
  ],
  person: [
    ...['search', 'seePerson', 'reveal', 'freeze', 'proposeThaw', 'approveThaw', 'withdrawThaw'],
    ...['stopAgent', 'proposeRestore', 'approveRestore', 'withdrawRestore', 'exportCustomer'],
    ...['eraseCustomer'],
  ],
  payments: [
    ...['seePayment', 'resend', 'propose', 'approve', 'withdraw', 'openAnswer', 'seeWebhook'],
    ...['webhooks', 'applyWebhook', 'closeWebhook'],
  ],
  principal: [
    ...['loadFloat', 'loadFloatByCard', 'renameAgentCard', 'deleteAgentCard', 'changeAgent'],
    ...['proposeAgent', 'approveAgent', 'withdrawAgent', 'givePayouts', 'withdrawPayouts'],
    ...['proposeBinding', 'proposeUnbinding', 'approveBinding', 'withdrawBinding'],
  ],
  organisation: [
    ...['writeRules', 'writeTeam', 'removeTeam', 'writeLabel', 'removeLabel', 'writeFilter'],
    ...['removeFilter', 'writeMacro', 'removeMacro', 'writeAnswer', 'removeAnswer'],
  ],
  audit: ['seeAudit', 'exportAudit', 'saveTable', 'denied', 'rejoinAudit'],
  accounts: [
    ...['signIn', 'signInFailed', 'signOut', 'signOutEverywhere', 'changePassword', 'setUp'],
    ...['createAccount', 'changeRole', 'disableAccount', 'enableAccount', 'resetAccount'],
    ...['confirmAccount'],
  ],
} as const;
export type Audited = (typeof ACTS_BY_GROUP)[keyof typeof ACTS_BY_GROUP][number];
export const AUDITED: readonly Audited[] = Object.values(ACTS_BY_GROUP).flat();

/**
 * The end of an act. `open`: the act was about to be done, and its end is not recorded yet. An entry that stays open
 * means that the process has died or the store was away, so the act may have been done or not.
 */
export const ENDINGS = ['open', 'done', 'refused', 'failed'] as const;
export type Ending = (typeof ENDINGS)[number];

export interface End {
  readonly end: Exclude<Ending, 'open'>;
  /** Why it was refused or failed, as a word of ours: `forbidden`, `sameAgent`, `wait`. */
  readonly endWhy?: string;
}

export interface Origin {
  /** The network address, or `command`. */
  readonly from: string;
  /** Names the sign-in: two things done in one browser have the same. */
  readonly session?: string;
}

export interface Deed {
  readonly who: string;
  readonly act: Audited;
  /** To what: an address (`web:…`), an intent's id, an account. */
  readonly on?: string;
  readonly about?: string;
  /** The reason given, or the evidence. */
  readonly why?: string;
  /** The details of the act, in words of ours: `succeeded, operation 4711`. */
  readonly what?: string;
}

export interface Entry extends Deed, Partial<Origin> {
  readonly n: number;
  /** In ms since 1970. */
  readonly at: number;
  /** Absent where an earlier release has written it, or nobody follows how it ends. */
  readonly end?: Ending;
  readonly endWhy?: string;
  /** When that was written down, in ms since 1970. */
  readonly endedAt?: number;
}

/** Selects entries that match all given fields. */
export interface AuditFilter extends AuditQuery {
  readonly end?: Ending;
}
