import {
  type Activity,
  type ActivityRegistry,
  type AskedRun,
  askedRun,
  WaitsForPerson,
  type WorkflowRuntime,
} from '#lib/workflow';
import { arbiterCallee, arbitrationRequests } from '#lib/decisions/arbitration';
import type { EventLog, StreamHistory } from '#lib/event-store';
import { derivedId, type ErrorAnswer, type RecordedEvent, RedialError } from '#lib/kernel';
import { type CommandContext, type CommandWriter, refuse } from '#lib/operations/core';
import {
  type ArbiterRef,
  type ArbitrationFailure,
  type ArbitrationResult,
  arbitrationResult,
  builtInArbiter,
  classifySubmission,
  type Session,
  sessionDecider,
  type SessionEvent,
  sessionRejections,
  type SubmitArbitration,
} from '#lib/decisions/session';
import { isOutage, Unfinished } from '#lib/runs/runs/core';
import { ProposerWaits } from '../solicitations/solicitor.js';
import { isRepeated, sessionRulesFor } from '../round-context.js';

/** A requested arbitration. Its ids are derived from the command's context. */
type ArbitrationRequest = Omit<SubmitArbitration['data'], 'arbitrationId' | 'nextRoundId'>;

/** The result, and its position in the log; without a position no event was written. */
export interface Arbitrated {
  readonly result: ArbitrationResult;
  readonly position: string | undefined;
  /** The same call was made before. */
  readonly repeated: boolean;
  /** The failure of an arbiter that was asked and gave no verdict. */
  readonly failure?: ArbitrationFailure;
}

/** An arbiter was asked, and this process could not finish the arbitration. Recovery continues it. */
export class ArbitrationUnfinished extends Unfinished {}

/** Arbitrates rounds: built-in arbiters decide within the command, others are asked by a run. */
export class Arbitrations {
  constructor(
    private readonly log: EventLog,
    private readonly writer: CommandWriter,
    private readonly runtime: WorkflowRuntime,
    private readonly activities: ActivityRegistry<Activity>,
  ) {}

  /**
   * @throws RejectionError before any write if this process cannot ask the arbiter
   * @throws ArbitrationUnfinished if it was begun, and the store or the process failed before its end
   */
  async submit(
    submission: ArbitrationRequest,
    session: Session,
    context: CommandContext,
  ): Promise<Arbitrated> {
    const arbitrationId = derivedId(context.commandId, 'arbitration');
    const outside = outsideArbiter(submission, session);
    const data = { ...submission, arbitrationId, nextRoundId: derivedId(context.commandId, 'round') };
    const target = { category: 'session', id: submission.sessionId } as const;
    const command = { type: 'SubmitArbitration', data } as const;
    const asked = this.asked(submission.sessionId, arbitrationId);
    if (outside && !(await isRepeated(this.log, asked.stream, context))) this.check(outside);
    const answer = await this.writer.send(sessionRulesFor(context), target, command, context, (append) =>
      this.runtime.request(asked, append),
    );
    const arbitrated = await this.settled(data, answer.state ?? session, answer.events, answer.position);
    return { ...arbitrated, repeated: answer.repeated };
  }

  /** The result of an earlier call, from its events alone: later changes do not matter. */
  async repeated(
    sessionId: string,
    history: StreamHistory<SessionEvent>,
    events: readonly RecordedEvent<SessionEvent>[],
  ): Promise<Arbitrated> {
    const [first] = events;
    const last = events.at(-1);
    const state = history.upTo(last?.revision ?? -1).state(sessionDecider);
    const command = sessionDecider.rebuild(first?.metadata.command, events, sessionId);
    if (!state || command.type !== 'SubmitArbitration') throw new TypeError('no arbitration');
    const arbitrated = await this.settled(command.data, state, events, last?.position);
    return { ...arbitrated, repeated: true };
  }

  /** The result of the written events, after the answer of the arbiter if it was asked. */
  private async settled(
    data: SubmitArbitration['data'],
    state: Session,
    written: readonly RecordedEvent<SessionEvent>[],
    position: string | undefined,
  ): Promise<Omit<Arbitrated, 'repeated'>> {
    if (!written.some(({ type }) => type === 'ArbitrationRequested'))
      return { result: arbitrationResult(data, state, written), position };
    const events = await this.finished(data.sessionId, data.arbitrationId, position);
    const failed = events.find((event) => event.type === 'ArbitrationFailed');
    const result = arbitrationResult(data, state, events);
    return { result, position: events.at(-1)?.position, ...(failed && { failure: failed.data.failure }) };
  }

  /**
   * Waits for an arbitration that its session has asked for, here or in another process.
   * @returns the events of its end in the session: ConsensusReached and TransitionExecuted, ConsensusNotReached, VerdictSetAside
   * or ArbitrationFailed
   * @throws RejectionError if the session is closed, and does not record the end
   * @throws ProposerWaits if the arbiter is asked only after a person's approval
   */
  async finish(sessionId: string, arbitrationId: string): Promise<readonly RecordedEvent<SessionEvent>[]> {
    const events = await this.#finished(this.asked(sessionId, arbitrationId));
    if (events.length === 0) refuse(sessionRejections.sessionClosed(sessionId));
    return events as readonly RecordedEvent<SessionEvent>[];
  }

  async #finished(asked: AskedRun): Promise<readonly RecordedEvent[]> {
    try {
      return await this.runtime.finish(asked);
    } catch (error) {
      throw error instanceof WaitsForPerson ? new ProposerWaits(error) : error;
    }
  }

  private asked(sessionId: string, runId: string): AskedRun {
    return askedRun(arbitrationRequests, this.log.streams, sessionId, runId);
  }

  /** @throws RejectionError if this process cannot ask this arbiter */
  check(arbiter: ArbiterRef): void {
    const callee = arbiterCallee(arbiter);
    if (callee.kind === 'webhook') return;
    const request = { fnName: callee.strategyFnName, purpose: 'verdict', input: null };
    const refusal = this.activities.named('function')?.preflight(request);
    if (refusal) refuse(refusal);
  }

  private async finished(sessionId: string, arbitrationId: string, position: string | undefined) {
    try {
      return await this.finish(sessionId, arbitrationId);
    } catch (error) {
      throw isOutage(error)
        ? new ArbitrationUnfinished('arbitration', arbitrationId, error, position)
        : error;
    }
  }
}

/** The arbiter outside of the session that this submission needs; `undefined` if it needs none. */
function outsideArbiter(submission: ArbitrationRequest, session: Session): ArbiterRef | undefined {
  const { arbiter } = submission;
  if (!arbiter || builtInArbiter(arbiter)) return undefined;
  return classifySubmission(submission, session).type === 'evaluate' ? arbiter : undefined;
}

/** An arbiter was asked and gave no verdict. The reason is in the log; nothing retries by itself. */
export class ArbiterFailed extends RedialError {
  override readonly answer: ErrorAnswer;

  constructor(
    sessionId: string,
    readonly arbitrationId: string,
    readonly failure: ArbitrationFailure,
    /** The position of the event that closed the arbitration. */
    readonly position: string | undefined,
  ) {
    super(
      `the arbiter gave no verdict (arbitration ${arbitrationId})`,
      failure.message,
      `Look at the events of session ${sessionId}, then ask again or decide as a human`,
    );
    const { kind, upstreamStatus } = failure;
    const from = upstreamStatus !== undefined && { upstreamStatus };
    this.answer = { status: 502, code: 'arbiter-failed', kind, ...from, arbitrationId };
  }
}
