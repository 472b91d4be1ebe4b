import { derivedId, type JsonObject, type RecordedEvent } from '#lib/kernel';
import type { HumanInputReason, SessionEvent, TransitionExecuted } from '../session.events.js';
import { evolveSession } from '../session.evolve.js';
import type { Session, SessionState } from '../session.state.js';

/** A person's decision of a round. */
export interface RoundAnswer {
  /** The person. */
  readonly by: string;
  readonly at: string;
  readonly choice: 'accept' | 'transition';
  readonly proposalId?: string;
  readonly transitionName: string;
  readonly metaJson?: JsonObject;
  /** The person's own words, if they differ from the proposal's. */
  readonly reason?: string;
  /** The arguments differ from those of the accepted proposal. */
  readonly edited: boolean;
}

/** The task of a round that has asked for people. */
export interface RoundTask {
  readonly roundId: string;
  /** The number of the round's waits. */
  readonly version: number;
  /** `expired`: its last wait took too long. `withdrawn`: it was decided without a person. */
  readonly status: 'open' | 'answered' | 'expired' | 'withdrawn';
  readonly reason: HumanInputReason;
  readonly detail: string;
  /** The start of the last wait. */
  readonly since: string;
  /** The clocks of its waits. */
  readonly clocks: readonly string[];
  /** The present session, or the session before the decision of the round. */
  readonly session: Session;
  readonly approvals: readonly {
    readonly by: string;
    readonly at: string;
    /** In the log. */
    readonly position: string;
    readonly choice: RoundAnswer['choice'];
    readonly transitionName: string;
  }[];
  readonly answer?: RoundAnswer;
}

/** The id of the task of a round, the same for all its waits. */
export function roundTaskId(sessionId: string, roundId: string): string {
  return derivedId(sessionId, `task ${roundId}`);
}

/** The task of a round, from its first wait to its decision, also while a new proposal is judged. `undefined` before. */
export function roundTask(
  events: readonly RecordedEvent<SessionEvent>[],
  roundId: string,
): RoundTask | undefined {
  const waits = events.filter(
    (event) => event.type === 'HumanInputRequested' && event.data.roundId === roundId,
  );
  const wait = waits.at(-1);
  const end = events.find(
    (event): event is RecordedEvent<TransitionExecuted> =>
      event.type === 'TransitionExecuted' && event.data.roundId === roundId,
  );
  const session = stateBefore(events, end);
  if (wait?.type !== 'HumanInputRequested' || !session) return undefined;
  const { reason, detail } = wait.data;
  const answer = end?.data.isHuman ? answerOf(events, end, session) : undefined;
  return {
    roundId,
    version: waits.length,
    status: statusOf(session, end, answer),
    reason,
    detail,
    since: wait.occurredAt,
    clocks: clocksOf(events, roundId),
    session,
    approvals: approvalsIn(events, session),
    ...(answer && { answer }),
  };
}

function statusOf(
  session: Session,
  end: TransitionExecuted | undefined,
  answer: RoundAnswer | undefined,
): RoundTask['status'] {
  if (hasExpired(session, end)) return 'expired';
  if (!end) return session.isClosed ? 'withdrawn' : 'open';
  return answer ? 'answered' : 'withdrawn';
}

/** The wait has expired, with a decision by its clock or without one. */
function hasExpired({ isExpired, clocks }: Session, end: TransitionExecuted | undefined): boolean {
  const timedBy = end?.data.timedBy;
  return isExpired || (timedBy !== undefined && timedBy === clocks.wait);
}

function clocksOf(events: readonly RecordedEvent<SessionEvent>[], roundId: string): readonly string[] {
  return events.flatMap((event) => {
    const isOfWait = event.type === 'HumanInputRequested' || event.type === 'ClockStarted';
    // A copied clock belongs to another session.
    if (event.metadata.copied) return [];
    return isOfWait && event.data.roundId === roundId ? (event.data.clockId ?? []) : [];
  });
}

function stateBefore(events: readonly RecordedEvent<SessionEvent>[], end: RecordedEvent | undefined) {
  const before = end
    ? events.slice(
        0,
        events.findIndex(({ revision }) => revision === end.revision),
      )
    : events;
  return before.reduce<SessionState>(evolveSession, null);
}

/** The last choice of each person that still counts. */
function approvalsIn(events: readonly RecordedEvent<SessionEvent>[], { approvals }: Session) {
  return approvals.map(({ by, transitionName, proposalId }) => {
    const given = events.findLast((event) => event.type === 'ApprovalGiven' && event.data.by === by);
    const { occurredAt: at = '', position = '' } = given ?? {};
    return { by, at, position, choice: choiceOf(proposalId), transitionName };
  });
}

function choiceOf(proposalId: string | undefined): RoundAnswer['choice'] {
  return proposalId === undefined ? 'transition' : 'accept';
}

function answerOf(
  events: readonly RecordedEvent<SessionEvent>[],
  { revision, data, occurredAt }: RecordedEvent<TransitionExecuted>,
  { proposals }: Session,
): RoundAnswer {
  const { proposalId, transitionName, metaJson, reasoning } = data;
  const proposed = proposals.find((one) => one.proposalId === proposalId)?.reasoning ?? '';
  const accepted = events.find((event) => event.revision === revision - 1);
  return {
    by: data.by ?? data.decidedBy,
    at: occurredAt,
    choice: choiceOf(proposalId),
    ...(proposalId !== undefined && { proposalId }),
    transitionName,
    ...(metaJson !== undefined && { metaJson }),
    ...(reasoning !== proposed && { reason: reasoning }),
    edited: accepted?.type === 'HumanOverrideAccepted' && accepted.data.edited === true,
  };
}
