import type { ConsensusView } from '#lib/session';
import { oneLine } from './one-line.js';
import type { Paint } from './paint.js';

/** The arbiter's verdict on a round. */
export function consensusLines(view: ConsensusView, paint: Paint): readonly string[] {
  const { consensusReached, reasoning, winningProposalId, margin, threshold, quorum } = view;
  return [
    `${consensusReached ? paint('green', 'consensus') : paint('yellow', 'no consensus')}: ${oneLine(reasoning, 140)}`,
    ...(winningProposalId === undefined ? [] : [`  winner     proposal ${winningProposalId}`]),
    ...(margin === undefined ? [] : [`  margin     ${margin.toFixed(2)}`]),
    ...(threshold === undefined ? [] : [`  threshold  ${threshold.toFixed(2)}`]),
    `  proposals  ${quorum.present}, ${quorum.needed} needed`,
  ];
}
