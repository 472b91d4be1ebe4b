import type { CloseArbitration } from '../session.commands.js';
import { isTrusted } from '../consensus/trust.js';
import type { SessionEvent, VerdictSetAside } from '../session.events.js';
import { currentRound, type OpenArbitration, type Session } from '../session.state.js';
import type { Verdict } from '../consensus/consensus-question.js';
import { spent } from '../choice.js';
import { decidedRound, refusedDecision } from './decided-round.js';

/** A second end of a closed arbitration gives no event: recovery may deliver it twice. */
export function closeArbitration({ data }: CloseArbitration, session: Session): readonly SessionEvent[] {
  const { arbitrationId, result } = data;
  const open = session.arbitrations.find((one) => one.arbitrationId === arbitrationId);
  if (!open) return [];
  const { roundId } = open;
  if ('failure' in result)
    return [{ type: 'ArbitrationFailed', data: { arbitrationId, roundId, failure: result.failure } }];
  return taken(session, open, result.verdict, data);
}

function taken(
  session: Session,
  { arbitrationId, roundId, basis, given }: OpenArbitration,
  verdict: Verdict,
  { nextRoundId, bindsTrust }: Pick<CloseArbitration['data'], 'nextRoundId' | 'bindsTrust'>,
): readonly SessionEvent[] {
  const setAside = (reason: VerdictSetAside['data']['reason']): readonly SessionEvent[] => [
    { type: 'VerdictSetAside', data: { arbitrationId, roundId, verdict, reason } },
  ];
  if (session.isClosed || roundId !== currentRound(session).roundId) return setAside('late');
  if (!verdict.consensusReached) {
    const { reasoning, margin, ...said } = verdict;
    const measured = margin !== undefined && { margin };
    return [
      {
        type: 'ConsensusNotReached',
        data: { arbitrationId, roundId, reasoning, ...measured, ...spent(given, said), ...basis },
      },
    ];
  }
  const shown = basis.proposals.find(({ proposalId }) => proposalId === verdict.winningProposalId);
  const winner = session.proposals.find(({ proposalId }) => proposalId === shown?.proposalId);
  if (!winner || refusedDecision(session, winner.transitionName, given)) return setAside('invalid');
  if (bindsTrust && !isTrusted(winner, basis)) return setAside('untrusted');
  return decidedRound(session, winner, verdict, { arbitrationId, nextRoundId, basis, given });
}
