import { differences, type JsonObject, present, type RecordedEvent } from '#lib/kernel';
import { type OpenProposal, type SessionEvent, type Spending } from '#lib/decisions/session';
import type { ComparedStep, DecidedStep, Diff } from './why.views.js';

/** The most listed differences of a step. */
const MOST_CHANGES = 100;

type History = readonly RecordedEvent<SessionEvent>[];

/** Two sessions, compared decided round by decided round, in order. */
export function diffOf(a: History, b: History): Diff {
  const [ofA, ofB] = [stepsOf(a), stepsOf(b)];
  const longer = ofA.length > ofB.length ? ofA : ofB;
  const steps = longer.map((_, index) => compared(ofA[index], ofB[index]));
  return {
    same: steps.every(({ changes }) => changes.length === 0),
    steps,
    costUSD: { a: spentIn(a, 'costUSD'), b: spentIn(b, 'costUSD') },
    latencyMsec: { a: spentIn(a, 'latencyMsec'), b: spentIn(b, 'latencyMsec') },
  };
}

function compared(a: DecidedStep | undefined, b: DecidedStep | undefined): ComparedStep {
  const changes = differences(a, b, MOST_CHANGES).map(({ pointer, recorded, replayed }) => ({
    pointer,
    a: recorded ?? null,
    b: replayed ?? null,
  }));
  return { ...present({ a, b }), changes };
}

function stepsOf(history: History): readonly DecidedStep[] {
  const proposals = new Map<string, JsonObject[]>();
  return history.flatMap((event) => {
    if (event.type === 'ProposalSubmitted') {
      const { roundId } = event.data;
      proposals.set(roundId, [...(proposals.get(roundId) ?? []), stated(event.data)]);
    }
    if (event.type !== 'TransitionExecuted') return [];
    const { roundId, fromState, transitionName, toState, reasoning, metaJson, isHuman, decidedBy } =
      event.data;
    const decision = { fromState, transitionName, toState, reasoning, ...(metaJson && { metaJson }) };
    return [{ ...decision, isHuman, decidedBy, proposals: proposals.get(roundId) ?? [] }];
  });
}

function stated({
  specialistId,
  isHuman,
  transitionName,
  toState,
  reasoning,
  metaJson,
}: Omit<OpenProposal, 'proposalId' | 'specialistVersion'>): JsonObject {
  return { specialistId, isHuman, transitionName, toState, reasoning, ...(metaJson && { metaJson }) };
}

/** The sum over all proposals and judgements that report this member. */
function spentIn(history: History, member: 'costUSD' | 'latencyMsec'): number {
  return history.reduce((sum, { data }) => {
    const { spent, ...own } = data as Spending & { readonly spent?: Spending };
    return sum + (own[member] ?? spent?.[member] ?? 0);
  }, 0);
}
