import { isNaming } from '#lib/candidates';
import { type MachineDefinition, peopleOf, promptOf, transitionsOf } from '#lib/decisions/machines';
import type { ProposalView } from '#lib/decisions/session';
import { proposalsTable } from '../decisions/decisions.tables.js';
import { statusNow } from '../decisions/proposals.queries.js';
import { sessionMachinesTable, sessionsTable, sessionWaitsTable } from '../sessions/sessions.tables.js';
import type { Rows } from '../store/rows.js';
import { storedUuid } from '../store/stored-values.js';
import { pick, recordOf } from '../store/table.js';

type Proposals = ReadonlyMap<string, readonly ProposalView[]>;

/** The filter of sessions; default: all. */
export interface InboxFilter {
  readonly machineName?: string;
  readonly sessionId?: string;
}

/** A waiting session, at the position of the event that asks for a person. */
export type InboxRow = Awaited<ReturnType<ReturnType<typeof waits>['execute']>>[number];

/** Waiting sessions, oldest first, after this position. */
export function inboxRows(
  db: Rows<'sessions'>,
  { machineName, sessionId }: InboxFilter,
  after: string | undefined,
  limit: number,
): Promise<readonly InboxRow[]> {
  let query = waits(db);
  if (machineName !== undefined) query = query.where('wait.machine_name', '=', machineName);
  if (sessionId !== undefined) query = query.where('wait.session_id', '=', storedUuid(sessionId));
  if (after !== undefined) query = query.where('wait.position', '>', after);
  return query.orderBy('wait.position').limit(limit).execute();
}

/** The items from which a person decides these sessions, in the order of the rows. */
export async function inboxItems(db: Rows<'sessions'>, rows: readonly InboxRow[]) {
  const proposals = await openProposals(db, rows);
  return rows.map((row) => inboxItem(row, proposals));
}

function waits(db: Rows<'sessions'>) {
  return db
    .selectFrom(`${sessionWaitsTable.name} as wait` as const)
    .innerJoin(`${sessionsTable.name} as session` as const, 'session.session_id', 'wait.session_id')
    .innerJoin(
      `${sessionMachinesTable.name} as machine` as const,
      'machine.machine_hash',
      'session.machine_hash',
    )
    .selectAll('wait')
    .select(['session.current_state', 'session.meta_json', 'machine.definition']);
}

/** By session. Only its current round has open ones, and a fork has the round id of its parent. */
async function openProposals(db: Rows<'sessions'>, waiting: readonly InboxRow[]): Promise<Proposals> {
  const proposals = new Map<string, ProposalView[]>();
  if (waiting.length === 0) return proposals;
  const rows = await db
    .selectFrom(proposalsTable.name)
    .selectAll()
    .where(
      'session_id',
      'in',
      waiting.map(({ session_id }) => session_id),
    )
    .where(statusNow(), '=', 'open')
    .orderBy('number')
    .execute();
  for (const row of rows) {
    const proposal = recordOf(proposalsTable, row);
    proposals.set(proposal.sessionId, [...(proposals.get(proposal.sessionId) ?? []), proposal]);
  }
  return proposals;
}

function inboxItem(row: InboxRow, proposals: Proposals) {
  const machine = JSON.parse(row.definition) as MachineDefinition;
  const { currentState, metaJson } = recordOf(sessionsTable, pick(row, ['current_state', 'meta_json']));
  const wait = recordOf(sessionWaitsTable, row);
  const policy = peopleOf(machine, currentState);
  const { people = [], groups = [] } = policy ?? {};
  return {
    ...wait,
    currentState,
    prompt: promptOf(machine, currentState),
    transitions: transitionsOf(machine, currentState),
    ...(metaJson && { metaJson }),
    ...(isNaming(policy) && { candidates: { people, groups } }),
    proposals: proposals.get(wait.sessionId) ?? [],
  };
}
