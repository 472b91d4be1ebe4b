import {
  type Appended,
  idInStream,
  type NewEvent,
  type StreamAppend,
  type StreamHistory,
} from '#lib/event-store';
import {
  type Clock,
  type Command,
  type Decider,
  ENGINE_ACTOR,
  type Event,
  type Json,
  type RecordedEvent,
} from '#lib/kernel';
import {
  CallSubject,
  type CommandContext,
  type CommandWriter,
  KeyTarget,
  WrittenPosition,
} from '#lib/operations/core';
import {
  type AskedRun,
  deliveryId,
  type EndedRun,
  type RunEnd,
  type RunOwner,
  type RunRequest,
  type RunRequests,
  type Wanted,
} from '#lib/workflow';

/** The command by which a stream takes in the end of a run. */
type Closing = Command<string, { readonly result: object }>;

/** The runs of one workflow that the streams of a capability ask for, with the parts that differ between capabilities. */
export interface AskedRuns<State, C extends Command, E extends Event> {
  readonly decider: Decider<State, C, E>;
  readonly requests: RunRequests;
  /** The input that the run's rules need besides facts and the stream up to the request. */
  input(request: RecordedEvent<E>, history: readonly RecordedEvent<E>[]): Json;
  /** The person on whose behalf the run is started. */
  startedBy?(request: RecordedEvent<E>, history: readonly RecordedEvent<E>[]): string | undefined;
  /** For a run that works for a fork. */
  forkOf?(history: readonly RecordedEvent<E>[]): Pick<RunRequest, 'fork' | 'forkedBy'> | undefined;
  /** @param id of the stream */
  closing(id: string, runId: string, end: RunEnd): C & Closing;
}

/** The streams of a decider as owners of the runs that they ask for. */
export class StreamOwner<State, C extends Command, E extends Event> implements RunOwner {
  constructor(
    protected readonly runs: AskedRuns<State, C, E>,
    private readonly writer: CommandWriter,
    private readonly clock: Clock,
  ) {}

  find(asked: AskedRun, history: StreamHistory): Wanted | undefined {
    const { events } = history as StreamHistory<E>;
    const { runId } = asked;
    const delivered = history.ofCommand(deliveryId(runId));
    if (delivered.length > 0) return { delivered };
    const request = events.findLast((event) => this.runs.requests.askedBy(event) === runId);
    return request && { request: this.#request(asked, request, events) };
  }

  async deliver(ended: EndedRun, planned?: Appended): Promise<readonly RecordedEvent[]> {
    if (planned) return this.writer.made(planned);
    const { target, command, context } = this.#closing(ended);
    return (await this.writer.send(this.runs.decider, target, command, context)).events;
  }

  planDelivery(ended: EndedRun): StreamAppend<NewEvent> | undefined {
    const { target, command, context } = this.#closing(ended);
    return this.writer.plan(this.runs.decider, target, command, context);
  }

  #closing({ runId, owner, end }: EndedRun) {
    const { category } = this.runs.requests;
    const id = idInStream(owner.stream);
    const command = this.runs.closing(id, runId, end);
    const context: CommandContext = {
      commandId: deliveryId(runId),
      actor: ENGINE_ACTOR,
      role: 'operator',
      standing: 'trusted',
      keyed: false,
      written: new WrittenPosition(),
      target: new KeyTarget(),
      about: new CallSubject(),
      causationId: runId,
    };
    return { target: { category, id }, command, context };
  }

  #request(
    { workflow, runId }: AskedRun,
    request: RecordedEvent<E>,
    history: readonly RecordedEvent<E>[],
  ): RunRequest {
    const { stream, revision, eventId: causationId } = request;
    const { correlationId, keyId, actor, traceparent } = request.metadata;
    const occurredAt = this.clock.now().toISOString();
    const trace = traceparent !== undefined && { traceparent };
    const about = { correlationId, ...(keyId !== undefined && { keyId }) };
    const metadata = { occurredAt, ...about, causationId, actor, ...trace };
    const input = this.runs.input(request, history);
    const by = this.runs.startedBy?.(request, history);
    const fork = this.runs.forkOf?.(history);
    const person = { ...(by !== undefined && { by }), ...fork };
    return { workflow, runId, input, owner: { stream }, context: { stream, revision }, ...person, metadata };
  }
}
