import type { StreamNames } from '#lib/event-store';
import type { RecordedEvent } from '#lib/kernel';
import type { RunDeltas } from '#lib/runs';

type Listener = (delta: object) => void;

/** What the runs of a session receive while their calls are open, beside the events of the session. */
export class SessionDeltas {
  readonly #listened = new Map<string, () => void>();
  #listener: Listener = () => undefined;

  constructor(
    private readonly deltas: RunDeltas,
    private readonly streams: StreamNames,
  ) {}

  /** @returns ends it */
  listen(listener: Listener): () => void {
    this.#listener = listener;
    return () => {
      for (const leave of this.#listened.values()) leave();
      this.#listened.clear();
    };
  }

  /** The same events: the runs that call models are known by them. */
  async *watching(
    batches: AsyncIterable<readonly RecordedEvent[]>,
  ): AsyncGenerator<readonly RecordedEvent[]> {
    for await (const batch of batches) {
      for (const event of batch) this.#watch(event);
      yield batch;
    }
  }

  #watch({ type, stream }: RecordedEvent): void {
    if (type === 'LlmCallRequested' && !this.#listened.has(stream)) {
      const runId = this.streams.parse(stream)?.id;
      const leave = this.deltas.listen(stream, (delta) => this.#listener({ runId, ...delta }));
      this.#listened.set(stream, leave);
    }
    if (type === 'WorkflowEnded' || type === 'WorkflowGivenUp') {
      this.#listened.get(stream)?.();
      this.#listened.delete(stream);
    }
  }
}
