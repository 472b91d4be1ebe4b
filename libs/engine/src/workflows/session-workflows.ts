import type { EventLog } from '#lib/event-store';
import {
  type Clock,
  derivedId,
  type Event,
  type IdSource,
  jsonText,
  type RecordedEvent,
  sha256,
} from '#lib/kernel';
import { sessionDecider, type SessionEvent } from '#lib/session';
import type { WorkflowRun, WorkflowRunner } from '#lib/legacy-workflow';
import { type Call, type CommandWriter, WrittenPosition } from '#lib/operations';
import { beginOnce } from './begin-once.js';
import { LostWorkflow } from './lost-workflow.js';
import type { SessionWorkflow } from './session-workflow.js';

type History = readonly RecordedEvent<SessionEvent>[];

/** What the end of a workflow wrote into its session, in one append. */
export interface Closing {
  readonly events: History;
  /** Of the last one. */
  readonly position: string;
}

/**
 * Brings workflows that sessions began to their end. Order: the request in the session, the workflow's own stream, its end,
 * what closes it in the session. Each step finds what is there already, so that a repeat, a second process or recovery goes on
 * where it stopped.
 */
export class SessionWorkflows<State, E extends Event, Request extends SessionEvent> {
  constructor(
    private readonly kind: SessionWorkflow<State, E, Request>,
    private readonly log: EventLog,
    private readonly writer: CommandWriter,
    private readonly runner: WorkflowRunner,
    private readonly clock: Clock,
    private readonly ids: IdSource,
  ) {}

  /** Takes the lease of one that is about to be begun. @throws StoreUnavailable | RunnerStopped */
  claim(id: string): Promise<void> {
    return this.runner.claim(this.stream(id));
  }

  /** Whether the session knows it. */
  async isBegun(sessionId: string, id: string): Promise<boolean> {
    return this.requestIn(await this.history(sessionId), id) !== undefined;
  }

  /** Brings one that its session knows to its end, waiting for whoever runs it. */
  async finish(sessionId: string, id: string): Promise<Closing> {
    const history = await this.history(sessionId);
    const closed = this.closingIn(history, id);
    if (closed) return closed;
    const end = await this.runner.run(await this.run(sessionId, id, history));
    return this.close(sessionId, id, end, history);
  }

  /** As `finish`, for one that nobody seems to run; `undefined` when somebody does. */
  async recover(sessionId: string, id: string): Promise<Closing | undefined> {
    const history = await this.history(sessionId);
    const closed = this.closingIn(history, id);
    if (closed) return closed;
    const end = await this.runner.recover(await this.run(sessionId, id, history));
    return end && this.close(sessionId, id, end, history);
  }

  private async run(sessionId: string, id: string, history: History): Promise<WorkflowRun<State, E>> {
    const stream = this.stream(id);
    const request = this.requestIn(history, id);
    if (!request) throw this.lost(id, `session ${sessionId} does not know it`);
    const { commandId, correlationId, actor } = request.metadata;
    const envelope = { commandId, correlationId, causationId: request.eventId, actor };
    const start = await beginOnce(this.log, stream, async () => ({
      eventId: this.ids.next(),
      event: await this.start(id, request, history),
      metadata: { ...envelope, occurredAt: this.clock.now().toISOString() },
    }));
    const { workflow } = this.kind;
    return { workflow, stream, activities: this.kind.activities(start), envelope };
  }

  private async start(id: string, request: RecordedEvent<Request>, history: History): Promise<E> {
    const event = await this.kind.start(request, history);
    if (!event) throw this.lost(id, 'whoever was to be asked is not known');
    return event;
  }

  /** @param history the session's stream, as far as it is known */
  private async close(
    sessionId: string,
    id: string,
    end: RecordedEvent<E>,
    history: History,
  ): Promise<Closing> {
    const command = this.kind.closing(sessionId, id, end);
    if (!command) throw this.lost(id, `it ended with ${end.type}`);
    const target = { category: 'session', id: sessionId } as const;
    const call: Call = {
      commandId: derivedId(id, 'close'),
      fingerprint: sha256(jsonText(command.data.result)),
      actor: 'redial',
      keyed: false,
      written: new WrittenPosition(),
      causationId: end.eventId,
    };
    await this.writer.send(sessionDecider, target, command, call);
    const closed = this.closingIn(await this.history(sessionId, history), id);
    if (!closed) throw this.lost(id, `session ${sessionId} did not take its end`);
    return closed;
  }

  private requestIn(history: History, id: string): RecordedEvent<Request> | undefined {
    const { requestType } = this.kind;
    const request = history.find((event) => event.type === requestType && this.kind.idIn(event) === id);
    return request as RecordedEvent<Request> | undefined;
  }

  private closingIn(history: History, id: string): Closing | undefined {
    const { closingTypes } = this.kind;
    const closing = history.find(
      (event) => closingTypes.includes(event.type) && this.kind.idIn(event) === id,
    );
    const events = history.filter(({ metadata }) => metadata.commandId === closing?.metadata.commandId);
    const last = events.at(-1);
    return last && { events, position: last.position };
  }

  private history(sessionId: string, known: History = []): Promise<History> {
    return this.log.readOn(this.log.streams.of('session', sessionId), known);
  }

  private stream(id: string): string {
    return this.log.streams.of(this.kind.category, id);
  }

  private lost(id: string, why: string): LostWorkflow {
    return new LostWorkflow(`${this.kind.category} ${id}`, why, 'Verify the log with `redial replay --all`');
  }
}
