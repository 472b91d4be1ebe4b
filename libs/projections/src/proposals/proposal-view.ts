import type { ProposalStatus, ProposalView } from '#lib/session';
import { jsonFromStored } from '../row/stored-json.js';
import { textFromStored } from '../row/stored-text.js';
import { timeFromStored } from '../row/stored-time.js';
import type { RowOf } from '../store/table.js';
import type { proposalsTable } from './proposals.table.js';

export function proposalView(row: RowOf<typeof proposalsTable>): ProposalView {
  return {
    proposalId: row.proposal_id,
    sessionId: row.session_id,
    roundId: row.round_id,
    specialistId: row.specialist_id,
    specialistVersion: row.specialist_version,
    isHuman: row.is_human === 1,
    transitionName: textFromStored(row.transition_name),
    toState: textFromStored(row.to_state),
    reasoning: textFromStored(row.reasoning),
    ...(row.meta_json !== null && { metaJson: jsonFromStored(row.meta_json) }),
    ...(row.cost_usd !== null && { costUSD: row.cost_usd }),
    ...(row.latency_msec !== null && { latencyMsec: row.latency_msec }),
    ...(row.num_input_tokens !== null && { numInputTokens: row.num_input_tokens }),
    ...(row.num_output_tokens !== null && { numOutputTokens: row.num_output_tokens }),
    ...(row.solicitation_id !== null && { solicitationId: row.solicitation_id }),
    status: row.status as ProposalStatus,
    createdAt: timeFromStored(row.created_at),
  };
}
