import { currentRound, type Session, type SessionCommand } from '#lib/decisions/session';
import { transitionsOf } from '#lib/decisions/machines';
import { id } from './sample-log.js';

/** The ways in which a random history decides a round. */
export type ArbitrationKind = 'judge' | 'ask-arbiter' | 'verdict' | 'override' | 'ask-human';

interface Chance {
  readonly kind: ArbitrationKind;
  readonly pick: number;
  readonly text: string;
}

/** The command of the n-th step of a random history to a session; `undefined` if no arbitration is open to close. */
export function arbitrationCommand(session: Session, one: Chance, n: number): SessionCommand | undefined {
  if (one.kind === 'verdict') return verdict(session, one, n);
  if (one.kind === 'ask-human') return askHuman(session, one);
  return submitted(session, one, n);
}

function submitted(session: Session, { kind, pick, text }: Chance, n: number): SessionCommand {
  const names = Object.keys(transitionsOf(session.machine, session.currentState));
  const transitionName = names[pick % (names.length || 1)] ?? 'nowhere';
  const isForced = kind === 'override';
  return {
    type: 'SubmitArbitration',
    data: {
      sessionId: session.sessionId,
      arbitrationId: id(`arbitration-${n}`),
      nextRoundId: id(`round-${n}`),
      isHuman: isForced,
      arbiter: arbiterOf(kind, pick),
      alignment: alignmentOf(pick),
      reasoning: text,
      ...(isForced && { specialistId: `person-${pick % 2}`, specialistVersion: 1, transitionName }),
      ...(pick % 7 === 0 && { metaJson: { [text]: pick } }),
    },
  };
}

function arbiterOf(kind: ArbitrationKind, pick: number) {
  if (kind === 'ask-arbiter')
    return { specialistId: 'judge', specialistVersion: 1, strategyFnName: 'judge of our own' };
  const strategyFnName = pick % 4 === 0 ? 'firstProposal' : 'alignmentMargin';
  return {
    specialistId: 'judge',
    specialistVersion: 1,
    strategyFnName,
    ...(pick % 3 === 0 && { threshold: 0.1 }),
  };
}

function alignmentOf(pick: number) {
  const scores = [0, 1, 2, 3].map((one) => ({
    specialistId: `specialist-${one}`,
    specialistVersion: 1,
    score: ((pick >> one) % 5) / 4,
  }));
  return { rule: 'wilson', ruleVersion: 1, scores, ...(pick % 2 === 0 && { position: 'log.1' }) };
}

function verdict(session: Session, { pick, text }: Chance, n: number): SessionCommand | undefined {
  const open = session.arbitrations[pick % (session.arbitrations.length || 1)];
  if (!open) return undefined;
  const { sessionId, proposals } = session;
  const winner = proposals[pick % (proposals.length || 1)]?.proposalId ?? id('nobody');
  const said = { reasoning: text, ...(pick % 2 === 0 && { margin: (pick % 11) / 10 }) };
  const results = [
    { verdict: { consensusReached: true, winningProposalId: winner, ...said } },
    { verdict: { consensusReached: true, winningProposalId: id('nobody'), ...said } },
    { verdict: { consensusReached: false, ...said } },
    { failure: { kind: 'timeout', message: text } },
  ] as const;
  return {
    type: 'CloseArbitration',
    data: {
      sessionId,
      arbitrationId: open.arbitrationId,
      nextRoundId: id(`round-${n}`),
      result: results[pick % results.length] ?? results[0],
    },
  };
}

function askHuman(session: Session, { pick, text }: Chance): SessionCommand {
  const reasons = ['no-proposals', 'no-arbiter', 'no-consensus', 'arbiter-failed'] as const;
  return {
    type: 'RequestHumanInput',
    data: {
      sessionId: session.sessionId,
      roundId: currentRound(session).roundId,
      proposalsSeen: session.proposals.length,
      reason: reasons[pick % reasons.length] ?? 'no-proposals',
      detail: text,
    },
  };
}
