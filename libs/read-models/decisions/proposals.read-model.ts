import type { JsonObject, RecordedEvent, Rejection } from '#lib/kernel';
import type {
  ProposalSetAside,
  ProposalStatus,
  ProposalSubmitted,
  ProposalView,
} from '#lib/decisions/session';
import { flag, freeText, hidden, json, logNumber, optional, time, word, uuid } from '../store/columns.js';
import { numberInKey, type Page, type PageRequest } from '../store/page.js';
import { pageOfRows } from '../store/page-of-rows.js';
import { insertRow } from '../store/row-changes.js';
import type { Rows } from '../store/rows.js';
import { type Change, statement } from '../store/statement.js';
import { recordOf, storedOf, table } from '../store/table.js';

export const proposalsTable = table(
  'proposals_v5',
  {
    proposal_id: uuid,
    session_id: uuid,
    round_id: uuid,
    specialist_id: 'text',
    specialist_version: 'integer',
    is_human: flag,
    transition_name: freeText,
    to_state: freeText,
    reasoning: freeText,
    meta_json: optional(json<JsonObject>()),
    cost_usd: 'double precision?',
    latency_msec: 'double precision?',
    num_input_tokens: 'double precision?',
    num_output_tokens: 'double precision?',
    solicitation_id: optional(uuid),
    status: word<ProposalStatus>(),
    /** It was not set aside. */
    is_counted: hidden(flag),
    created_at: time,
    position: hidden(logNumber),
  },
  ['proposal_id'],
  [
    ['session_id', 'position'],
    ['round_id', 'session_id'],
  ],
);

const addProposal = insertRow(proposalsTable);

/** A round is over: the proposal that was granted won, every other open one lost. "" names none. */
export const endRound = statement(
  { session_id: uuid, round_id: uuid, winner: uuid },
  (db, { session_id, round_id, winner }) =>
    db
      .updateTable('proposals_v5')
      .set((eb) => ({ status: eb.case().when('proposal_id', '=', winner).then('won').else('lost').end() }))
      .where('session_id', '=', session_id)
      .where('round_id', '=', round_id)
      .where('status', '=', 'open'),
);

/** A proposal that counts in its round. */
export function submitted(event: RecordedEvent<ProposalSubmitted>, sessionId: string): Change[] {
  return [added(event, { sessionId, status: 'open', isCounted: true })];
}

/** A duplicate, or a choice that was not offered, is kept too, and does not count in the round. */
export function setAside(event: RecordedEvent<ProposalSetAside>, sessionId: string): Change[] {
  const status = event.data.reason === 'late' ? 'late' : 'lost';
  return [added(event, { sessionId, status, isCounted: false })];
}

function added(
  { data, occurredAt: createdAt, position }: RecordedEvent<ProposalSubmitted | ProposalSetAside>,
  came: { readonly sessionId: string; readonly status: ProposalStatus; readonly isCounted: boolean },
): Change {
  return addProposal({ ...data, ...came, createdAt, position });
}

/** The proposals of a session, or of one of its rounds, in the order they arrived. */
export function listProposals(
  db: Rows<'decisions'>,
  filter: { readonly sessionId: string; readonly roundId?: string },
  request: PageRequest = {},
): Promise<Page<ProposalView> | Rejection> {
  return pageOfRows(request, {
    list: 'proposals',
    rows: db
      .selectFrom('proposals_v5')
      .selectAll()
      .where((eb) => eb.and(storedOf(proposalsTable, filter))),
    table: proposalsTable,
    by: 'position',
    readKey: numberInKey,
    toItems: (rows) => rows.map((row) => recordOf(proposalsTable, row)),
  });
}
