import type { EventLog } from '#lib/event-store';
import { derivedId, type ErrorAnswer, type RecordedEvent, RedialError } from '#lib/kernel';
import { type CommandContext, type CommandWriter, refuse, RejectionError } from '#lib/operations/core';
import {
  type CallerInput,
  type ProposalFailed,
  type ProposalSetAside,
  type ProposalSubmitted,
  type Session,
  sessionRejections,
  type SolicitationFailure,
} from '#lib/decisions/session';
import { overridden } from '#lib/decisions/registration/core';
import { solicitationRequests } from '#lib/decisions/solicitation';
import type { ProposerExecution } from '#lib/decisions/specialists';
import { type AskedRun, askedRun, WaitsForPerson, type WorkflowRuntime } from '#lib/workflow';
import { isOutage, Unfinished } from '#lib/runs/runs/core';
import type { Authors } from '../authors.js';
import { isRepeated, sessionRulesFor } from '../round-context.js';
import type { ProposerCheck } from './proposer-mode.js';

/** A run of the proposer waits for a person. The solicitation stays open. */
export class ProposerWaits extends RejectionError {
  constructor(
    private readonly wait: WaitsForPerson,
    position?: string,
  ) {
    super({ rejected: 'conflict', code: 'waits-for-person', message: wait.message }, position);
  }

  /** @param position of the event that requests the proposal */
  after(position: string | undefined): ProposerWaits {
    return new ProposerWaits(this.wait, position);
  }
}

/** The event that closes a solicitation: exactly one of these. */
export type ClosingEvent = RecordedEvent<ProposalSubmitted | ProposalSetAside | ProposalFailed>;

interface SolicitationRequest {
  readonly session: Session;
  readonly roundId: string;
  readonly specialistId: string;
  readonly specialistVersion: number;
  /** As it is registered: a fork may override it. */
  readonly execution: ProposerExecution;
  readonly given: CallerInput;
  /** Refused if the proposer was asked in this round before. */
  readonly unlessAsked?: boolean;
}

/** A proposer was asked, and this process could not finish the solicitation. Recovery continues it. */
export class SolicitationUnfinished extends Unfinished {}

/** Asks proposers, by runs of their sessions. */
export class Solicitor {
  constructor(
    private readonly log: EventLog,
    private readonly writer: CommandWriter,
    private readonly runtime: WorkflowRuntime,
    private readonly proposers: ProposerCheck,
    private readonly authors: Authors,
  ) {}

  /**
   * @throws RejectionError before any write if this process cannot ask this proposer, or the caller may not have it asked, and as
   * `finish`
   * @throws SolicitationUnfinished if it was begun, and the store or the process failed before its end
   */
  async solicit(
    { session, execution, ...question }: SolicitationRequest,
    context: CommandContext,
  ): Promise<ClosingEvent> {
    const { sessionId } = session;
    const solicitationId = derivedId(context.commandId, 'solicitation');
    const asked = this.#asked(sessionId, solicitationId);
    if (!(await isRepeated(this.log, asked.stream, context)))
      this.proposers.check(overridden(execution, question.specialistId, session));
    const target = { category: 'session', id: sessionId } as const;
    const { by } = (await this.authors.caller(context, session)) ?? {};
    const data = { sessionId, ...question, solicitationId, ...(by !== undefined && { by }) };
    const command = { type: 'SolicitProposal', data } as const;
    const { position } = await this.writer.send(
      sessionRulesFor(context),
      target,
      command,
      context,
      (append) => this.runtime.request(asked, append),
    );
    try {
      return await this.finish(sessionId, solicitationId);
    } catch (error) {
      if (error instanceof ProposerWaits) throw error.after(position);
      throw isOutage(error)
        ? new SolicitationUnfinished('solicitation', solicitationId, error, position)
        : error;
    }
  }

  /**
   * Waits for a solicitation that its session has asked for, here or in another process.
   * @throws ProposerWaits if one of its runs waits for a person
   * @throws RejectionError if the session is closed, and does not record the end
   */
  async finish(sessionId: string, runId: string): Promise<ClosingEvent> {
    try {
      const [event] = await this.runtime.finish(this.#asked(sessionId, runId));
      return (event as ClosingEvent | undefined) ?? refuse(sessionRejections.sessionClosed(sessionId));
    } catch (error) {
      throw error instanceof WaitsForPerson ? new ProposerWaits(error) : error;
    }
  }

  #asked(sessionId: string, runId: string): AskedRun {
    return askedRun(solicitationRequests, this.log.streams, sessionId, runId);
  }
}

/** A proposer was asked and gave no proposal. The reason is in the log; nothing retries by itself. */
export class ProposerFailed extends RedialError {
  override readonly answer: ErrorAnswer;

  constructor(
    sessionId: string,
    specialistId: string,
    readonly solicitationId: string,
    readonly failure: SolicitationFailure,
    /** The position of the event that closed the solicitation. */
    readonly position: string,
  ) {
    super(
      `${specialistId} gave no proposal (solicitation ${solicitationId})`,
      failure.message,
      `Look at the events of session ${sessionId}, then ask again or propose by hand`,
    );
    this.answer = { ...answerTo(failure), solicitationId };
  }
}

/** 422 if the proposer's registration is the cause, which the caller can correct; otherwise 502: the cause is outside. */
function answerTo({ kind, upstreamStatus }: SolicitationFailure): ErrorAnswer {
  if (kind === 'template-too-large' || kind === 'budget') return { status: 422, code: kind, kind };
  return {
    status: 502,
    code: 'proposer-failed',
    kind,
    ...(upstreamStatus !== undefined && { upstreamStatus }),
  };
}
