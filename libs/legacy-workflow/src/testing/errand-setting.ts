import { randomUUID } from 'node:crypto';
import { EventCodec, EventLog, InMemoryEventStore, StreamNames } from '#lib/event-store';
import { type RecordedEvent, randomIds } from '#lib/kernel';
import type { Activities } from '../activities.js';
import { type WorkflowRun, WorkflowRunner } from '../workflow-runner.js';
import { errand, type ErrandEvent, errandEventDefinitions } from './errand.workflow.js';
import { InMemoryLeases } from '#lib/workflow/testing';
import { SettableClock } from './settable-clock.js';

export const LEASE_MS = 60_000;

/** One log, one lease table, and any number of runners that share them, each a process of its own. */
export class ErrandSetting {
  readonly clock = new SettableClock();
  readonly leases = new InMemoryLeases(this.clock);
  readonly log: EventLog;

  constructor(readonly store: InMemoryEventStore = new InMemoryEventStore()) {
    this.log = new EventLog(store, new EventCodec([errandEventDefinitions]), new StreamNames());
  }

  runner(owner: string, leases = this.leases): WorkflowRunner {
    return new WorkflowRunner(this.log, leases, this.clock, randomIds, { owner, leaseTtlMs: LEASE_MS });
  }

  /** A stream that holds these events; the first one starts the errand. */
  async stream(start: { shops: readonly string[]; attempts?: number }, ...more: ErrandEvent[]) {
    const stream = this.log.streams.of('solicitation', randomUUID());
    const started: ErrandEvent = { type: 'ErrandStarted', data: { attempts: 1, ...start } };
    const metadata = { ...envelope, occurredAt: this.clock.now().toISOString() };
    const events = [started, ...more].map((event) => ({ eventId: randomUUID(), event, metadata }));
    await this.log.append(stream, 'no-stream', events);
    return stream;
  }

  history(stream: string): Promise<readonly RecordedEvent<ErrandEvent>[]> {
    return this.log.readStream<ErrandEvent>(stream);
  }

  async types(stream: string): Promise<readonly string[]> {
    return (await this.history(stream)).map(({ type }) => type);
  }
}

export const envelope = {
  commandId: 'command',
  correlationId: 'session',
  causationId: 'asked',
  actor: 'redial',
};

export function errandRun(
  stream: string,
  activities: Activities<ErrandEvent>,
): WorkflowRun<ReturnType<typeof errand.initialState>, ErrandEvent> {
  return { workflow: errand, stream, activities, envelope };
}

/** A promise, and the ways to settle it. */
export function deferred<T = void>() {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
