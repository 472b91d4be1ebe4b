import {
  type EventLog,
  type NewEvent,
  RevisionConflict,
  type StreamAppend,
  type StreamHistory,
} from '#lib/event-store';
import { derivedId, type Event, type Json, type RecordedEvent } from '#lib/kernel';
import type { WorkflowRuntime } from '../runtime.js';
import type { RunEnd } from '../runtime.events.js';
import { type AskedRun, deliveryId, type EndedRun, type RunOwner, type Wanted } from '../run-owner.js';

type LedgerEvent =
  | Event<'RunAsked', { readonly runId: string }>
  | Event<'EndTaken', { readonly runId: string; readonly end: RunEnd }>;

/** Its stream, without the prefix of the log. */
export const LEDGER = 'session-6f5902ac-2377-4c86-9d5e-1f2f6d2a0c11';

/** The smallest capability that asks for runs: its stream names them, and takes in their ends. */
export class Ledger implements RunOwner {
  readonly stream: string;

  constructor(
    private readonly log: EventLog,
    private readonly workflow: string,
    private readonly inputOf: (runId: string) => Json = () => ({}),
  ) {
    this.stream = log.streams.withPrefix(LEDGER);
  }

  static readonly events = { RunAsked: { version: 1 }, EndTaken: { version: 1 } };

  /** @param by a process that begins the run with the request, if it can */
  async ask(runId: string, by?: Pick<WorkflowRuntime, 'request'>): Promise<AskedRun> {
    const asked = { workflow: this.workflow, runId, stream: this.stream };
    const append = by && ((one: StreamAppend<NewEvent>) => by.request(asked, one));
    await this.#write({ type: 'RunAsked', data: { runId } }, derivedId(runId, 'ask'), append);
    // `planDelivery` needs the stream in memory.
    await this.log.load(this.stream);
    return asked;
  }

  /** Runs whose end was not taken in. */
  async open(): Promise<readonly AskedRun[]> {
    const events = await this.log.readStream<LedgerEvent>(this.stream);
    const taken = new Set(events.flatMap(({ type, data }) => (type === 'EndTaken' ? data.runId : [])));
    const asked = events.flatMap(({ type, data }) => (type === 'RunAsked' ? data.runId : []));
    return asked
      .filter((runId) => !taken.has(runId))
      .map((runId) => ({ workflow: this.workflow, runId, stream: this.stream }));
  }

  find({ workflow, runId }: AskedRun, history: StreamHistory): Wanted | undefined {
    const { events } = history as StreamHistory<LedgerEvent>;
    const delivered = history.ofCommand(deliveryId(runId));
    if (delivered.length > 0) return { delivered };
    const asked = events.find(({ type, data }) => type === 'RunAsked' && data.runId === runId);
    if (!asked) return undefined;
    const { stream } = asked;
    const { schemaVersion: _, ...metadata } = asked.metadata;
    return { request: { workflow, runId, input: this.inputOf(runId), owner: { stream }, metadata } };
  }

  deliver({ runId, end }: EndedRun): Promise<readonly RecordedEvent[]> {
    return this.#write({ type: 'EndTaken', data: { runId, end } }, deliveryId(runId));
  }

  planDelivery({ runId, end }: EndedRun): StreamAppend<NewEvent> | undefined {
    const known = this.log.known<LedgerEvent>(this.stream);
    if (!known || known.ofCommand(deliveryId(runId)).length > 0) return undefined;
    return this.#entry({ type: 'EndTaken', data: { runId, end } }, deliveryId(runId), known.revision);
  }

  /** Writes the event of a command once. */
  async #write(
    event: LedgerEvent,
    commandId: string,
    append = ({ stream, expected, events }: StreamAppend<NewEvent>) =>
      this.log.append(stream, expected, events),
  ): Promise<readonly RecordedEvent[]> {
    const history = await this.log.load(this.stream);
    const written = history.ofCommand(commandId);
    if (written.length > 0) return written;
    try {
      return (await append(this.#entry(event, commandId, history.revision))).events;
    } catch (error) {
      if (error instanceof RevisionConflict) return this.#write(event, commandId);
      throw error;
    }
  }

  #entry(event: LedgerEvent, commandId: string, revision: number): StreamAppend<NewEvent> {
    const ids = { correlationId: commandId, causationId: commandId, commandId };
    const metadata = { ...ids, actor: 'spec', occurredAt: new Date(0).toISOString() };
    const expected = revision < 0 ? 'no-stream' : revision;
    return { stream: this.stream, expected, events: [{ eventId: commandId, event, metadata }] };
  }
}
