import type { EventLog, StreamHistory } from '#lib/event-store';
import { ofProblems, type Problem, type RecordedEvent, reject } from '#lib/kernel';
import { type CommandContext, refuse, RejectionError } from '#lib/operations/core';
import {
  type CallerInput,
  currentRound,
  type Session,
  sessionDecider,
  sessionDeciderLeavingToPeople,
  type SessionEvent,
  sessionRejections,
  statedMembers,
} from '#lib/decisions/session';

type History = readonly RecordedEvent<SessionEvent>[];

/** The state of a session, or of one that is not yet created. */
export type SessionContext = Pick<
  Session,
  'machineName' | 'machine' | 'machineVersion' | 'specialistVersions' | 'currentState'
> &
  Partial<Pick<Session, 'sessionId' | 'actorTokenHashes' | 'fork'>>;

/** A session's current round. */
export interface RoundContext<S extends SessionContext = SessionContext> {
  readonly session: S;
  /** The position of the event that began the round; absent for a session that is not yet created. */
  readonly roundBegan?: string | undefined;
}

/** The stream that an operation on a session reads first. */
export function sessionStream({ sessionId }: { readonly sessionId: string }, { streams }: EventLog) {
  return [streams.of('session', sessionId)] as const;
}

/** The rules of a session for a call. */
export function sessionRulesFor({ leaveToPeople }: CommandContext): typeof sessionDecider {
  return leaveToPeople ? sessionDeciderLeavingToPeople : sessionDecider;
}

/** Whether the command of a call was recorded before, here or in another process. Memory is searched first: the caller has loaded the session. */
export async function isRepeated(
  log: EventLog,
  stream: string,
  { keyed, commandId }: CommandContext,
): Promise<boolean> {
  return keyed && (await log.loadTo(stream, 0)).ofCommand(commandId).length > 0;
}

/** @throws RejectionError if there is no such session */
export function roundContext(history: StreamHistory<SessionEvent>, sessionId: string): RoundContext<Session> {
  const session = history.state(sessionDecider);
  if (!session) refuse(sessionRejections.unknownSession(sessionId));
  return { session, roundBegan: roundBegan(history.events) };
}

/** The rules of a session for a command without a round: its key is bound to the round that they choose. */
export function sessionRulesChoosing({ target }: CommandContext): typeof sessionDecider {
  const complete: typeof sessionDecider.complete = (command, state) => {
    if (!state || ('roundId' in command.data && command.data.roundId !== undefined)) return command;
    const chosen = target.choose(() => ({ roundId: currentRound(state).roundId }));
    return { ...command, data: { ...command.data, ...chosen } } as typeof command;
  };
  return { ...sessionDecider, complete };
}

/** The round of a call that names none: the one that its key is bound to, else the current one. */
export function chosenRound(session: Session, { target }: CommandContext): string {
  return target.choose(() => ({ roundId: currentRound(session).roundId })).roundId;
}

/** The position of the event that began the current round. */
export function roundBegan(history: History): string | undefined {
  return history.findLast(({ type }) => type === 'TransitionExecuted' || type === 'SessionCreated')?.position;
}

/** Refuses input that the types exclude but code may pass, before it enters the log. @throws RejectionError with all problems */
export function checkCallerInput(given: CallerInput): void {
  const problems = Object.entries(statedMembers).flatMap(([name, { fits, otherwise }]): Problem[] => {
    const value = given[name as keyof CallerInput];
    return value === undefined || fits(value) ? [] : [{ path: `/${name}`, message: otherwise }];
  });
  if (problems.length === 0) return;
  const text = ofProblems('the call was refused', problems);
  throw new RejectionError(reject('malformed', 'malformed-input', text, problems));
}
