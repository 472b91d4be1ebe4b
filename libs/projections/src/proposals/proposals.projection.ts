import type { RecordedEvent } from '#lib/kernel';
import type { ProposalSetAside, ProposalSubmitted, SessionEvent, ProposalStatus } from '#lib/session';
import { storedJson } from '../row/stored-json.js';
import { storedPosition } from '../row/stored-position.js';
import { storedText } from '../row/stored-text.js';
import { storedTime } from '../row/stored-time.js';
import type { Handlers, Projection } from '../runner/projection.js';
import { insertRow } from '../store/insert-row.js';
import { statement } from '../store/statement.js';
import { proposalsTable } from './proposals.table.js';

const addProposal = insertRow(proposalsTable);

/** A round is over: the proposal that was granted won, every other open one lost. "" names none. */
const endRound = statement<{ sessionId: string; roundId: string; winner: string }>((db, given) =>
  db
    .updateTable('proposals_v2')
    .set((eb) => ({
      status: eb.case().when('proposal_id', '=', given.winner).then('won').else('lost').end(),
    }))
    .where('session_id', '=', given.sessionId)
    .where('round_id', '=', given.roundId)
    .where('status', '=', 'open'),
);

const onSession: Handlers<SessionEvent> = {
  ProposalSubmitted: (event, sessionId) => [addProposal(proposalRow(event, sessionId, 'open'))],
  // A duplicate, or a choice that was not offered, is kept too, and does not count in the round.
  ProposalSetAside: (event, sessionId) => [
    addProposal(proposalRow(event, sessionId, event.data.reason === 'late' ? 'late' : 'lost')),
  ],
  TransitionExecuted: ({ data: { roundId, proposalId } }, sessionId) => [
    endRound({ sessionId, roundId, winner: proposalId ?? '' }),
  ],
};

function proposalRow(
  { data, occurredAt, position }: RecordedEvent<ProposalSubmitted | ProposalSetAside>,
  sessionId: string,
  status: ProposalStatus,
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
    created_at: storedTime(occurredAt),
    position: storedPosition(position),
  };
}

/** Every proposal that was made, and what became of it. */
export const proposalsProjection: Projection<'proposals'> = {
  name: 'proposals',
  version: 2,
  tables: [proposalsTable],
  on: { session: onSession },
};
