import type { RecordedEvent } from '#lib/kernel';
import type { AskedRun } from './run-owner.js';

type Events = readonly RecordedEvent[];

interface Waiting {
  readonly asked: AskedRun;
  readonly events: Promise<Events>;
  readonly resolve: (events: Events) => void;
  readonly reject: (error: unknown) => void;
}

/** The runs whose delivery a call in this process waits for. Other runs cost nothing here. */
export class Deliveries {
  /** By run id. */
  readonly #waiting = new Map<string, Waiting>();

  /** The events that the delivery writes: one promise for all callers that wait for the run. */
  of(asked: AskedRun): Promise<Events> {
    const waiting = this.#waiting.get(asked.runId) ?? waitingFor(asked);
    this.#waiting.set(asked.runId, waiting);
    return waiting.events;
  }

  /** @param stream that has asked for them; without it, all */
  awaitedBy(stream?: string): readonly AskedRun[] {
    const all = [...this.#waiting.values()].map(({ asked }) => asked);
    return stream === undefined ? all : all.filter((asked) => asked.stream === stream);
  }

  /** The run, while somebody waits for it. */
  awaited(runId: string): AskedRun | undefined {
    return this.#waiting.get(runId)?.asked;
  }

  delivered(runId: string, events: Events): void {
    this.#take(runId)?.resolve(events);
  }

  /** The run stays open. */
  failed(runId: string, error: unknown): void {
    this.#take(runId)?.reject(error);
  }

  #take(runId: string): Waiting | undefined {
    const waiting = this.#waiting.get(runId);
    this.#waiting.delete(runId);
    return waiting;
  }
}

function waitingFor(asked: AskedRun): Waiting {
  let resolve: Waiting['resolve'] = () => undefined;
  let reject: Waiting['reject'] = () => undefined;
  const events = new Promise<Events>((resolved, rejected) => {
    resolve = resolved;
    reject = rejected;
  });
  // A failure may come before somebody waits.
  events.catch(() => undefined);
  return { asked, events, resolve, reject };
}
