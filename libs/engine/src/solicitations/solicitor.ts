import type { SolicitationActivities } from '#lib/activities';
import { ConflictNotSettled, type EventLog, RevisionConflict, StoreUnavailable } from '#lib/event-store';
import {
  type Clock,
  derivedId,
  type IdSource,
  jsonText,
  type RecordedEvent,
  RedialError,
  sha256,
} from '#lib/kernel';
import {
  type CallerGiven,
  type ProposalFailed,
  type ProposalSetAside,
  type ProposalSolicited,
  type ProposalSubmitted,
  sessionDecider,
  type SessionEvent,
} from '#lib/session';
import {
  solicitation,
  type SolicitationEvent,
  solicitationResult,
  type SolicitationStarted,
  type SolicitationState,
} from '#lib/solicitation';
import { type ProposerExecution, specialistDecider } from '#lib/specialist';
import { CannotPerform, RunnerStopped, type WorkflowRun, type WorkflowRunner } from '#lib/workflow';
import type { Call } from '../write-side/call.js';
import type { CommandWriter } from '../write-side/command-writer.js';
import { RejectionError } from '../write-side/rejection-error.js';
import { SolicitationUnfinished } from './solicitation-unfinished.js';
import { proposerMode, type SolicitationSettings, startEvent } from './start-event.js';

/** What closed a solicitation: exactly one of these. */
export type ClosingEvent = RecordedEvent<ProposalSubmitted | ProposalSetAside | ProposalFailed>;

/** Whom to ask, for what. */
export interface Wish {
  readonly sessionId: string;
  readonly roundId?: string;
  readonly specialistId: string;
  readonly execution: ProposerExecution;
  readonly given: CallerGiven;
}

/** A solicitation that its session, or its proposer, does not know. A bug, or a damaged log. */
class LostSolicitation extends RedialError {
  constructor(solicitationId: string, why: string) {
    super(`solicitation ${solicitationId}`, why, 'Verify the log with `redial replay --all`');
  }
}

/**
 * Asks proposers. Order: ProposalSolicited in the session, the solicitation's own stream, its end, the closing event in the
 * session. Each step finds what is there already, so that a repeat, a second process or recovery goes on where it stopped.
 */
export class Solicitor {
  constructor(
    private readonly log: EventLog,
    private readonly writer: CommandWriter,
    private readonly runner: WorkflowRunner,
    private readonly activities: SolicitationActivities,
    private readonly settings: SolicitationSettings,
    private readonly clock: Clock,
    private readonly ids: IdSource,
  ) {}

  /**
   * @throws RejectionError before anything is written when this process could not ask this proposer
   * @throws SolicitationUnfinished when it was begun, and the store or the process failed before its end
   */
  async solicit({ execution, ...wish }: Wish, call: Call): Promise<ClosingEvent> {
    const solicitationId = derivedId(call.commandId, 'solicitation');
    const known = await this.solicited(wish.sessionId, solicitationId);
    if (!known) await this.prepare(solicitationId, execution);
    const target = { category: 'session', id: wish.sessionId } as const;
    const command = { type: 'SolicitProposal', data: { ...wish, solicitationId } } as const;
    const { position } = await this.writer.send(sessionDecider, target, command, call);
    try {
      return await this.finish(wish.sessionId, solicitationId);
    } catch (error) {
      throw isOutage(error) ? new SolicitationUnfinished(solicitationId, position, error) : error;
    }
  }

  /** Brings a solicitation that its session knows to its end, waiting for whoever runs it. */
  async finish(sessionId: string, solicitationId: string): Promise<ClosingEvent> {
    const closed = await this.closing(sessionId, solicitationId);
    if (closed) return closed;
    const end = await this.runner.run(await this.started(sessionId, solicitationId));
    return this.close(sessionId, solicitationId, end);
  }

  /** As `finish`, for one that nobody seems to run; `false` when somebody does, or this process cannot. */
  async recover(sessionId: string, solicitationId: string): Promise<boolean> {
    if (await this.closing(sessionId, solicitationId)) return true;
    const run = await this.started(sessionId, solicitationId);
    const end = await this.runner.recover(run);
    if (end) await this.close(sessionId, solicitationId, end);
    return end !== undefined;
  }

  /** What can be known to fail is found before anything is written. */
  private async prepare(solicitationId: string, execution: ProposerExecution): Promise<void> {
    const refusal = this.activities.preflightProposer(proposerMode(execution, this.settings.baseUrl));
    if (refusal) throw new RejectionError(refusal);
    await this.runner.claim(this.log.streams.of('solicitation', solicitationId));
  }

  private async started(
    sessionId: string,
    solicitationId: string,
  ): Promise<WorkflowRun<SolicitationState, SolicitationEvent>> {
    const stream = this.log.streams.of('solicitation', solicitationId);
    const solicited = await this.solicited(sessionId, solicitationId);
    if (!solicited) throw new LostSolicitation(solicitationId, `session ${sessionId} does not know it`);
    const { commandId, correlationId, actor } = solicited.metadata;
    const envelope = { commandId, correlationId, causationId: solicited.eventId, actor };
    const [first] = await this.log.readStream<SolicitationEvent>(stream, { limit: 1 });
    const start = first ?? (await this.start(stream, sessionId, solicited));
    const activities = this.activities.forSolicitation(start as SolicitationStarted);
    return { workflow: solicitation, stream, activities, envelope };
  }

  private async start(
    stream: string,
    sessionId: string,
    { eventId, data, metadata }: RecordedEvent<ProposalSolicited>,
  ): Promise<SolicitationStarted> {
    const session = await this.writer.state(sessionDecider, { category: 'session', id: sessionId });
    const execution = await this.executionOf(data.specialistId);
    if (!session || !execution)
      throw new LostSolicitation(data.solicitationId, `${data.specialistId} cannot be asked`);
    const event = startEvent(session, data, execution, this.settings);
    const { commandId, correlationId, actor } = metadata;
    const occurredAt = this.clock.now().toISOString();
    const entry = {
      eventId: this.ids.next(),
      event,
      metadata: { commandId, correlationId, causationId: eventId, actor, occurredAt },
    };
    try {
      await this.log.append(stream, 'no-stream', [entry]);
      return event;
    } catch (error) {
      if (!(error instanceof RevisionConflict)) throw error;
      const [first] = await this.log.readStream<SolicitationStarted>(stream, { limit: 1 });
      return first ?? event;
    }
  }

  private async executionOf(specialistId: string): Promise<ProposerExecution | undefined> {
    const specialist = await this.writer.state(specialistDecider, {
      category: 'specialist',
      id: specialistId,
    });
    return specialist?.role === 'proposer' ? specialist.execution : undefined;
  }

  private async close(
    sessionId: string,
    solicitationId: string,
    end: RecordedEvent<SolicitationEvent>,
  ): Promise<ClosingEvent> {
    const result = solicitationResult(end);
    if (!result) throw new LostSolicitation(solicitationId, `it ended with ${end.type}`);
    const call: Call = {
      commandId: derivedId(solicitationId, 'close'),
      fingerprint: sha256(jsonText(result)),
      actor: 'redial',
      keyed: false,
      causationId: end.eventId,
    };
    const proposalId = derivedId(solicitationId, 'proposal');
    const data = { sessionId, solicitationId, proposalId, result };
    await this.writer.send(
      sessionDecider,
      { category: 'session', id: sessionId },
      { type: 'CloseSolicitation', data },
      call,
    );
    const closed = await this.closing(sessionId, solicitationId);
    if (!closed) throw new LostSolicitation(solicitationId, `session ${sessionId} did not take its end`);
    return closed;
  }

  private async solicited(
    sessionId: string,
    solicitationId: string,
  ): Promise<RecordedEvent<ProposalSolicited> | undefined> {
    const events = await this.sessionEvents(sessionId);
    return events.find(
      (event): event is RecordedEvent<ProposalSolicited> =>
        event.type === 'ProposalSolicited' && event.data.solicitationId === solicitationId,
    );
  }

  private async closing(sessionId: string, solicitationId: string): Promise<ClosingEvent | undefined> {
    const events = await this.sessionEvents(sessionId);
    return events.find(
      (event): event is ClosingEvent => isClosing(event) && event.data.solicitationId === solicitationId,
    );
  }

  private sessionEvents(sessionId: string): Promise<readonly RecordedEvent<SessionEvent>[]> {
    return this.log.readStream<SessionEvent>(this.log.streams.of('session', sessionId));
  }
}

const OUTAGES = [RunnerStopped, CannotPerform, StoreUnavailable, ConflictNotSettled];

function isOutage(error: unknown): error is RedialError {
  return OUTAGES.some((type) => error instanceof type);
}

function isClosing(event: RecordedEvent<SessionEvent>): event is ClosingEvent {
  return ['ProposalSubmitted', 'ProposalSetAside', 'ProposalFailed'].includes(event.type);
}
