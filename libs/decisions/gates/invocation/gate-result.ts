import type { RecordedEvent } from '#lib/kernel';
import {
  arbitrationSpending,
  arrivedProposal,
  type HumanInputRequested,
  type ProposalFailed,
  type ProposalView,
  type SessionEvent,
  sessionViewAt,
  type TransitionExecuted,
} from '#lib/decisions/session';
import { isGateMachine } from '../definition/gate-machine.js';
import type { GateResult } from '../gates.views.js';

type History = readonly RecordedEvent<SessionEvent>[];

/**
 * The result of an invocation.
 * @param history the session's stream from revision 0, or a prefix of it
 * @param isWaiting one of its runs waits for a person
 * @returns `undefined` if that is not the session of a gate
 */
export function gateResult(history: History, isWaiting = false): GateResult | undefined {
  const view = sessionViewAt(history);
  const [first] = history;
  if (!view || first?.type !== 'SessionCreated' || !isGateMachine(view.machine)) return undefined;
  const decision = history.find(isTransition);
  const needsHuman = view.status === 'needs_human' || (isWaiting && !decision);
  const proposals = proposalsIn(view.sessionId, history, decision);
  return {
    gateId: view.machineName,
    sessionId: view.sessionId,
    roundId: first.data.roundId,
    ...(decision && { decision: decision.data.transitionName }),
    ...(decision?.data.metaJson && { metaJson: decision.data.metaJson }),
    needsHuman,
    isHuman: decision?.data.isHuman ?? false,
    reasoning: decision?.data.reasoning ?? (needsHuman ? whyUndecided(history) : ''),
    proposals,
    failures: history.flatMap(failureOf),
    ...total('costUSD', [...proposals, ...history.flatMap(failed), ...history.map(arbitrationSpending)]),
    latencyMsec: msecBetween(first, decision ?? history.at(-1) ?? first),
    ...total('numInputTokens', proposals),
    ...total('numOutputTokens', proposals),
  };
}

function isTransition(event: RecordedEvent<SessionEvent>): event is RecordedEvent<TransitionExecuted> {
  return event.type === 'TransitionExecuted';
}

function proposalsIn(
  sessionId: string,
  history: History,
  decision: RecordedEvent<TransitionExecuted> | undefined,
): readonly ProposalView[] {
  const arrived = history.flatMap((event) =>
    event.type === 'ProposalSubmitted' || event.type === 'ProposalSetAside'
      ? [arrivedProposal(sessionId, event, event.occurredAt)]
      : [],
  );
  if (!decision) return arrived;
  const { proposalId: winner } = decision.data;
  return arrived.map((proposal) => {
    if (proposal.status !== 'open') return proposal;
    return { ...proposal, status: proposal.proposalId === winner ? 'won' : 'lost' };
  });
}

function whyUndecided(history: History): string {
  const requests = history.filter(
    (event): event is RecordedEvent<HumanInputRequested> => event.type === 'HumanInputRequested',
  );
  return requests.at(-1)?.data.detail ?? 'A proposer waits for a person.';
}

function failureOf(event: SessionEvent): GateResult['failures'] {
  return failed(event).map(({ specialistId, failure }) => ({ specialistId, failure }));
}

function failed(event: SessionEvent): readonly ProposalFailed['data'][] {
  return event.type === 'ProposalFailed' ? [event.data] : [];
}

function total(
  member: 'costUSD' | 'numInputTokens' | 'numOutputTokens',
  spent: readonly Pick<ProposalView, typeof member>[],
): Partial<GateResult> {
  const known = spent.flatMap((proposal) => proposal[member] ?? []);
  return known.length === 0 ? {} : { [member]: known.reduce((sum, amount) => sum + amount, 0) };
}

/** Never below 0: clocks of processes that share a log may differ. */
function msecBetween(start: RecordedEvent, end: RecordedEvent): number {
  return Math.max(0, Date.parse(end.occurredAt) - Date.parse(start.occurredAt));
}

/**
 * The session up to the first event that decides it, asks for a person or closes it: the gate's caller waits for that. Later
 * events are left out, so that a repeat of the call gets the same answer. `undefined` while the invocation is open.
 */
export function settledInvocation(history: History): History | undefined {
  const end = history.findIndex(
    ({ type }) => type === 'TransitionExecuted' || type === 'HumanInputRequested' || type === 'SessionClosed',
  );
  return end < 0 ? undefined : history.slice(0, end + 1);
}
