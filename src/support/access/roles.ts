/**
 * The roles at the console, the one with fewer rights first: each has the rights of the one before, and more. Only an
 * auditor's right to read the audit is not an agent's.
 */
export const ROLES = ['viewer', 'auditor', 'agent', 'supervisor', 'admin'] as const;
export type Role = (typeof ROLES)[number];

const EVERYBODY = ROLES;
const AGENTS: readonly Role[] = ['agent', 'supervisor', 'admin'];
const AUDITORS: readonly Role[] = ['auditor', 'supervisor', 'admin'];
const SUPERVISORS: readonly Role[] = ['supervisor', 'admin'];
const ADMINS: readonly Role[] = ['admin'];

/** All acts at the console, with the roles that may do them. An act that is not here is closed to all. */
export const ACTS = {
  seeSessions: EVERYBODY,
  seeStats: EVERYBODY,
  seeCases: EVERYBODY,
  /** One's own password, language and sign-ins. */
  ownAccount: EVERYBODY,
  reveal: AGENTS,
  note: AGENTS,
  workCases: AGENTS,
  takeOver: AGENTS,
  /** From another agent who has taken a conversation over, or whose case it is. */
  takeFrom: SUPERVISORS,
  write: AGENTS,
  handBack: AGENTS,
  nudge: AGENTS,
  toMenu: AGENTS,
  end: AGENTS,
  resend: AGENTS,
  answerHelp: AGENTS,
  freeze: AGENTS,
  proposeThaw: AGENTS,
  approveThaw: AGENTS,
  withdrawThaw: AGENTS,
  stopAgent: AGENTS,
  proposeRestore: AGENTS,
  approveRestore: AGENTS,
  withdrawRestore: AGENTS,
  propose: AGENTS,
  /** One agent proposes an outcome, another one approves it: the desk holds the two apart. */
  approve: AGENTS,
  withdraw: AGENTS,
  webhooks: AGENTS,
  /** The content of a webhook, masked as a session is. */
  readWebhook: AGENTS,
  /** Its content is erased then. */
  closeWebhook: SUPERVISORS,
  /** How conversations are built, and where they lose customers. */
  seeMachines: SUPERVISORS,
  /** Teams of agents, and the canned answers that all of them choose from. */
  organise: SUPERVISORS,
  seeAudit: AUDITORS,
  exportAudit: AUDITORS,
  manageAccounts: ADMINS,
  /** The operator's principal agent: its float, its retail agents, and the numbers that act for it, which two agree on. */
  managePrincipal: ADMINS,
} as const satisfies Readonly<Record<string, readonly Role[]>>;
export type Act = keyof typeof ACTS;

/** True where this role is allowed to do it. */
export function may(role: Role, act: Act): boolean {
  return (ACTS[act] as readonly Role[]).includes(role);
}
