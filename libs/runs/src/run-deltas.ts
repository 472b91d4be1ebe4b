/** A part of a reply that a call of a run has received so far. */
export interface RunDelta {
  readonly callId: string;
  readonly text: string;
}

type Listener = (delta: RunDelta) => void;

/** Parts of replies while they come, by the stream of their run, to those who listen now. Display only: nothing is kept. */
export class RunDeltas {
  readonly #listeners = new Map<string, Set<Listener>>();

  /** @returns ends it */
  listen(stream: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(stream) ?? new Set();
    this.#listeners.set(stream, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(stream);
    };
  }

  /** @param stepId of the call's attempt: `<callId>#<n>` */
  publish(stream: string, stepId: string, text: string): void {
    const listeners = this.#listeners.get(stream);
    if (!listeners) return;
    const delta = { callId: stepId.replace(/#\d+$/, ''), text };
    for (const listener of listeners) listener(delta);
  }
}
