import type { EventLog, NewEvent, StreamAppend, StreamHistory } from '#lib/event-store';
import { type Clock, type Json, jsonText, type RecordedEvent, RedialError, sha256 } from '#lib/kernel';
import { type CommandContext, type CommandWriter, WrittenPosition } from '#lib/operations';
import {
  type CloseArbitration,
  type CloseSolicitation,
  sessionDecider,
  type SessionEvent,
} from '#lib/session';
import {
  type AskedRun,
  deliveryId,
  type EndedRun,
  type RunEnd,
  type RunOwner,
  type RunRequests,
  type Wanted,
} from '#lib/workflow';

type History = readonly RecordedEvent<SessionEvent>[];

/** The part that differs between the kinds of runs that sessions ask for. */
export interface SessionRunKind {
  readonly requests: RunRequests;
  /** The input that its rules need besides the session up to the request, and facts. */
  input(request: RecordedEvent<SessionEvent>, history: History): Json;
  /** Takes an end in. */
  closing(sessionId: string, runId: string, end: RunEnd): CloseSolicitation | CloseArbitration;
}

/** A session does not know a run that it is said to have asked for. A bug, or a damaged log. */
export class LostRun extends RedialError {}

/** The events that the end of a run wrote into its session, in one append. */
export interface Completion {
  readonly events: History;
  /** Of the last one. */
  readonly position: string | undefined;
}

/** @param events that a delivery wrote into a session */
export function completionOf(events: readonly RecordedEvent[]): Completion {
  return { events: events as History, position: events.at(-1)?.position };
}

/** Sessions as owners of the runs that they ask for. */
export class SessionRunOwner implements RunOwner {
  constructor(
    private readonly kind: SessionRunKind,
    private readonly log: EventLog,
    private readonly writer: CommandWriter,
    private readonly clock: Clock,
  ) {}

  async lookUp({ workflow, runId, stream }: AskedRun, revision: number): Promise<Wanted> {
    const known = await this.log.loadTo<SessionEvent>(stream, revision);
    const wanted = this.find({ runId }, known) ?? this.find({ runId }, await this.log.load(stream));
    if (wanted) return wanted;
    const fix = 'Verify the log with `redial replay --all`';
    throw new LostRun(`${workflow} ${runId}`, `${stream} does not know it`, fix);
  }

  async deliver(ended: EndedRun): Promise<readonly RecordedEvent[]> {
    const { target, command, call: context } = this.#closing(ended);
    return (await this.writer.send(sessionDecider, target, command, context)).events;
  }

  planDelivery(ended: EndedRun): StreamAppend<NewEvent> | undefined {
    const { target, command, call: context } = this.#closing(ended);
    return this.writer.plan(sessionDecider, target, command, context);
  }

  #closing({ runId, owner, end }: EndedRun) {
    const id = this.log.streams.parse(owner.stream)?.id ?? '';
    const command = this.kind.closing(id, runId, end);
    const context: CommandContext = {
      commandId: deliveryId(runId),
      fingerprint: sha256(jsonText(command.data.result)),
      actor: 'redial',
      keyed: false,
      written: new WrittenPosition(),
      causationId: runId,
    };
    return { target: { category: 'session', id } as const, command, call: context };
  }

  find({ runId }: Pick<AskedRun, 'runId'>, history: StreamHistory): Wanted | undefined {
    const { events } = history as StreamHistory<SessionEvent>;
    const delivered = events.filter(({ metadata }) => metadata.commandId === deliveryId(runId));
    if (delivered.length > 0) return { delivered };
    const request = events.find((event) => this.kind.requests.askedBy(event) === runId);
    return request && { request: this.#request(request, events) };
  }

  #request(request: RecordedEvent<SessionEvent>, history: History) {
    const { stream, revision, eventId: causationId } = request;
    const { commandId, correlationId, actor, traceparent } = request.metadata;
    const input = this.kind.input(request, history);
    const occurredAt = this.clock.now().toISOString();
    const metadata = {
      occurredAt,
      commandId,
      correlationId,
      causationId,
      actor,
      ...(traceparent !== undefined && { traceparent }),
    };
    return { input, owner: { stream }, context: { stream, revision }, metadata };
  }
}
