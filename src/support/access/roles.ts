/** What somebody may be at the console: each may do what the one before may, and more. */
export const ROLES = ['viewer', 'agent', 'supervisor', 'admin'] as const;
export type Role = (typeof ROLES)[number];

const EVERYBODY = ROLES;
const AGENTS: readonly Role[] = ['agent', 'supervisor', 'admin'];
const SUPERVISORS: readonly Role[] = ['supervisor', 'admin'];
const ADMINS: readonly Role[] = ['admin'];

/** Everything that can be done at the console, and by whom. What is not here, nobody can do. */
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
  /** What one agent wants thawed, another one approves. */
  proposeThaw: AGENTS,
  approveThaw: AGENTS,
  withdrawThaw: AGENTS,
  stopAgent: AGENTS,
  /** What one support agent wants restored, another one approves. */
  proposeRestore: AGENTS,
  approveRestore: AGENTS,
  withdrawRestore: AGENTS,
  propose: AGENTS,
  /** What one agent has proposed, another one approves: the desk holds the two apart. */
  approve: AGENTS,
  withdraw: AGENTS,
  webhooks: AGENTS,
  /** What it says, masked as a session is. */
  readWebhook: AGENTS,
  /** What it said is erased then. */
  closeWebhook: SUPERVISORS,
  /** How conversations are built, and where they lose customers. */
  seeMachines: SUPERVISORS,
  /** Teams of agents, and the canned answers that all of them choose from. */
  organise: SUPERVISORS,
  seeAudit: SUPERVISORS,
  exportAudit: SUPERVISORS,
  manageAccounts: ADMINS,
  /** The operator's principal agent: its float, its retail agents, and the numbers that act for it, which two agree on. */
  managePrincipal: ADMINS,
} as const satisfies Readonly<Record<string, readonly Role[]>>;
export type Act = keyof typeof ACTS;

export function may(role: Role, act: Act): boolean {
  return (ACTS[act] as readonly Role[]).includes(role);
}
