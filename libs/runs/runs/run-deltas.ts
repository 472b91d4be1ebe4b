import { idInStream } from '#lib/event-store';
import { derivedId, type RecordedEvent } from '#lib/kernel';

/** A part of a reply that a call of a run has received. */
export interface RunDelta {
  readonly stream: string;
  /** The id in the row of the call. Each attempt is a call. */
  readonly callId: string;
  readonly text: string;
}

/** @param stepId of the call's attempt: `<place>#<n>` */
type Listener = (delta: RunDelta, stepId: string) => void;

/** Gives parts of replies to the current listeners while they come. For display only: no part is kept. */
export class RunDeltas {
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #failed = new WeakSet<Listener>();

  /** @param warn called once for a listener that throws, which does not affect the call */
  constructor(private readonly warn: (message: string) => void) {}

  /**
   * @param topic the stream of a run, or the id of the session or conversation that runs work for
   * @returns ends the listening
   */
  listen(topic: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(topic);
    };
  }

  /**
   * @param start of the run
   * @param stepId of the call's attempt: `<place>#<n>`
   */
  publish(
    { stream, metadata }: Pick<RecordedEvent, 'stream' | 'metadata'>,
    stepId: string,
    text: string,
  ): void {
    const listeners = [stream, metadata.correlationId].flatMap((topic) => [
      ...(this.#listeners.get(topic) ?? []),
    ]);
    if (listeners.length === 0) return;
    const delta = { stream, callId: derivedId(idInStream(stream), stepId), text };
    for (const listener of listeners) this.#tell(listener, delta, stepId);
  }

  #tell(listener: Listener, delta: RunDelta, stepId: string): void {
    try {
      listener(delta, stepId);
    } catch (error) {
      if (!this.#failed.has(listener))
        this.warn(`The text of call ${delta.callId} is not shown: ${String(error)}`);
      this.#failed.add(listener);
    }
  }
}
