import type { JsonObject } from '#lib/kernel';
import { type MachineDefinition, promptOf, type TransitionDefinition, transitionsOf } from '#lib/machine';
import type { HumanInputReason, ProposalView } from '#lib/session';
import { proposalView } from '../proposals/proposal-view.js';
import { jsonFromStored } from '../row/stored-json.js';
import { textFromStored } from '../row/stored-text.js';
import { timeFromStored } from '../row/stored-time.js';
import type { Rows } from '../store/rows.js';

/** A session that waits for a person, and what the person needs to know to decide. */
interface InboxItem {
  readonly sessionId: string;
  readonly machineName: string;
  readonly roundId: string;
  readonly currentState: string;
  /** The decision question; "" where the state has none. */
  readonly prompt: string;
  /** The choices. */
  readonly transitions: { readonly [name: string]: TransitionDefinition };
  /** Of the session. */
  readonly metaJson?: JsonObject;
  readonly reason: HumanInputReason;
  /** For people: why no decision was reached. */
  readonly detail: string;
  /** Since when it waits. ISO 8601, UTC. */
  readonly since: string;
  /** The open ones of the round, in the order they arrived. */
  readonly proposals: readonly ProposalView[];
}

type Proposals = ReadonlyMap<string, readonly ProposalView[]>;

/** Which sessions are meant; default: all. */
export interface InboxFilter {
  readonly machineName?: string;
  readonly sessionId?: string;
}

/** A session that waits, at the position of the event that says so. */
export type InboxRow = Awaited<ReturnType<ReturnType<typeof waits>['execute']>>[number];

/** Sessions that wait, oldest first, after this position. */
export function inboxRows(
  db: Rows<'sessions'>,
  { machineName, sessionId }: InboxFilter,
  after: string | undefined,
  limit: number,
): Promise<readonly InboxRow[]> {
  let query = waits(db);
  if (machineName !== undefined) query = query.where('wait.machine_name', '=', machineName);
  if (sessionId !== undefined) query = query.where('wait.session_id', '=', sessionId);
  if (after !== undefined) query = query.where('wait.position', '>', after);
  return query.orderBy('wait.position').limit(limit).execute();
}

/** One item for each row, in the order of the rows. */
export async function inboxItems(
  db: Rows<'sessions' | 'decisions'>,
  rows: readonly InboxRow[],
): Promise<readonly InboxItem[]> {
  const proposals = await openProposals(db, rows);
  return rows.map((row) => inboxItem(row, proposals));
}

function waits(db: Rows<'sessions'>) {
  return db
    .selectFrom('session_waits_v2 as wait')
    .innerJoin('sessions_v2 as session', 'session.session_id', 'wait.session_id')
    .innerJoin('session_machines_v2 as machine', 'machine.machine_hash', 'session.machine_hash')
    .selectAll('wait')
    .select(['session.current_state', 'session.meta_json', 'machine.definition']);
}

/** By round. */
async function openProposals(db: Rows<'decisions'>, waiting: readonly InboxRow[]): Promise<Proposals> {
  const proposals = new Map<string, ProposalView[]>();
  if (waiting.length === 0) return proposals;
  const rows = await db
    .selectFrom('proposals_v5')
    .selectAll()
    .where(
      'session_id',
      'in',
      waiting.map(({ session_id }) => session_id),
    )
    .where('status', '=', 'open')
    .orderBy('position')
    .execute();
  for (const row of rows) {
    proposals.set(row.round_id, [...(proposals.get(row.round_id) ?? []), proposalView(row)]);
  }
  return proposals;
}

function inboxItem(row: InboxRow, proposals: Proposals): InboxItem {
  const machine = JSON.parse(row.definition) as MachineDefinition;
  const currentState = textFromStored(row.current_state);
  return {
    sessionId: row.session_id,
    machineName: row.machine_name,
    roundId: row.round_id,
    currentState,
    prompt: promptOf(machine, currentState),
    transitions: transitionsOf(machine, currentState),
    ...(row.meta_json !== null && { metaJson: jsonFromStored(row.meta_json) }),
    reason: row.reason as HumanInputReason,
    detail: textFromStored(row.detail),
    since: timeFromStored(row.since),
    proposals: proposals.get(row.round_id) ?? [],
  };
}
