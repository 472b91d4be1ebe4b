import type { Appended, EventLog, NewEvent, StreamAppend, StreamHistory } from '#lib/event-store';
import {
  type Clock,
  type Command,
  type Decider,
  type Event,
  type Json,
  type RecordedEvent,
  RedialError,
} from '#lib/kernel';
import { type CommandContext, type CommandWriter, WrittenPosition } from '#lib/operations';
import {
  type AskedRun,
  deliveryId,
  type EndedRun,
  type RunEnd,
  type RunOwner,
  type RunRequests,
  type Wanted,
} from '#lib/workflow';

/** The command by which a stream takes in the end of a run. */
type Closing = Command<string, { readonly result: object }>;

/** The runs of one workflow that the streams of a capability ask for: what differs between capabilities. */
export interface AskedRuns<State, C extends Command, E extends Event> {
  readonly decider: Decider<State, C, E>;
  readonly requests: RunRequests;
  /** The input that the run's rules need besides facts and the stream up to the request. */
  input(request: RecordedEvent<E>, history: readonly RecordedEvent<E>[]): Json;
  /** @param id of the stream */
  closing(id: string, runId: string, end: RunEnd): C & Closing;
}

/** A stream does not know a run that it is said to have asked for. A bug, or a damaged log. */
export class LostRun extends RedialError {}

/** The streams of a decider as owners of the runs that they ask for. */
export class StreamOwner<State, C extends Command, E extends Event> implements RunOwner {
  constructor(
    private readonly runs: AskedRuns<State, C, E>,
    private readonly log: EventLog,
    private readonly writer: CommandWriter,
    private readonly clock: Clock,
  ) {}

  async lookUp({ workflow, runId, stream }: AskedRun, revision: number): Promise<Wanted> {
    const known = await this.log.loadTo(stream, revision);
    const wanted = this.find({ runId }, known) ?? this.find({ runId }, await this.log.load(stream));
    if (wanted) return wanted;
    const fix = 'Verify the log with `redial replay --all`';
    throw new LostRun(`${workflow} ${runId}`, `${stream} does not know it`, fix);
  }

  find({ runId }: Pick<AskedRun, 'runId'>, history: StreamHistory): Wanted | undefined {
    const { events } = history as StreamHistory<E>;
    const delivered = history.ofCommand(deliveryId(runId));
    if (delivered.length > 0) return { delivered };
    const request = events.findLast((event) => this.runs.requests.askedBy(event) === runId);
    return request && { request: this.#request(request, events) };
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
    const id = owner.stream.slice(owner.stream.indexOf('-') + 1);
    const command = this.runs.closing(id, runId, end);
    const context: CommandContext = {
      commandId: deliveryId(runId),
      actor: 'redial',
      keyed: false,
      written: new WrittenPosition(),
      causationId: runId,
    };
    return { target: { category, id }, command, context };
  }

  #request(request: RecordedEvent<E>, history: readonly RecordedEvent<E>[]) {
    const { stream, revision, eventId: causationId } = request;
    const { commandId, correlationId, actor, traceparent } = request.metadata;
    const occurredAt = this.clock.now().toISOString();
    const trace = traceparent !== undefined && { traceparent };
    const metadata = { occurredAt, commandId, correlationId, causationId, actor, ...trace };
    const input = this.runs.input(request, history);
    return { input, owner: { stream }, context: { stream, revision }, metadata };
  }
}
