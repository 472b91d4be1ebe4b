import type { RecordedEvent } from '#lib/kernel';
import type { ProposalSetAside, ProposalStatus, ProposalSubmitted } from '#lib/session';
import { storedJson } from '../row/stored-json.js';
import { storedPosition } from '../row/stored-position.js';
import { storedText } from '../row/stored-text.js';
import { storedTime } from '../row/stored-time.js';
import { insertRow } from '../store/insert-row.js';
import { type Change, statement } from '../store/statement.js';
import { proposalsTable } from './proposals.table.js';

const addProposal = insertRow(proposalsTable);

/** A round is over: the proposal that was granted won, every other open one lost. "" names none. */
export const endRound = statement<{ sessionId: string; roundId: string; winner: string }>((db, values) =>
  db
    .updateTable('proposals_v5')
    .set((eb) => ({
      status: eb.case().when('proposal_id', '=', values.winner).then('won').else('lost').end(),
    }))
    .where('session_id', '=', values.sessionId)
    .where('round_id', '=', values.roundId)
    .where('status', '=', 'open'),
);

/** A proposal that counts in its round. */
export function submitted(event: RecordedEvent<ProposalSubmitted>, sessionId: string): Change[] {
  return [addProposal(proposalRow(event, sessionId, 'open', 1))];
}

/** A duplicate, or a choice that was not offered, is kept too, and does not count in the round. */
export function setAside(event: RecordedEvent<ProposalSetAside>, sessionId: string): Change[] {
  return [addProposal(proposalRow(event, sessionId, event.data.reason === 'late' ? 'late' : 'lost', 0))];
}

function proposalRow(
  { data, occurredAt, position }: RecordedEvent<ProposalSubmitted | ProposalSetAside>,
  sessionId: string,
  status: ProposalStatus,
  isCounted: 0 | 1,
) {
  return {
    proposal_id: data.proposalId,
    session_id: sessionId,
    round_id: data.roundId,
    specialist_id: data.specialistId,
    specialist_version: data.specialistVersion,
    is_human: data.isHuman ? 1 : 0,
    transition_name: storedText(data.transitionName),
    to_state: storedText(data.toState),
    reasoning: storedText(data.reasoning),
    meta_json: storedJson(data.metaJson),
    cost_usd: data.costUSD ?? null,
    latency_msec: data.latencyMsec ?? null,
    num_input_tokens: data.numInputTokens ?? null,
    num_output_tokens: data.numOutputTokens ?? null,
    solicitation_id: data.solicitationId ?? null,
    status,
    is_counted: isCounted,
    created_at: storedTime(occurredAt),
    position: storedPosition(position),
  };
}
