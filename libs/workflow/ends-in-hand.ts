import type { Draft } from './draft.rules.js';
import type { RunSteps } from './run.decider.js';
import type { ChildEnded } from './runtime.events.js';

/** The end of a child, as it is recorded in its parent. */
export interface EndOfChild {
  readonly event: ChildEnded;
  readonly eventId: string;
  /** The start of the child. */
  readonly causationId: string;
}

interface Driving {
  readonly isStopping: boolean;
  driveOf(run: { readonly workflow: string; readonly runId: string }): Promise<unknown> | undefined;
}

interface Told extends EndOfChild {
  settle(isRecorded: boolean): void;
}

/** The ends of children that this process drives, from when the parent's driver gets them until they are recorded. */
export class EndsInHand {
  readonly #told = new Map<string, Told>();
  readonly #followed = new WeakSet<Promise<unknown>>();
  #isLeft = false;

  constructor(private readonly onArrival: () => void) {}

  /**
   * Gives the driver an end to record. Resolves to true once it is recorded; to false if this driver does not record it: then the caller appends
   * it.
   */
  tell(end: EndOfChild): Promise<boolean> {
    if (this.#isLeft) return Promise.resolve(false);
    return new Promise((settle) => {
      this.#told.set(end.eventId, { ...end, settle });
      this.onArrival();
    });
  }

  /**
   * Whether this process drives an open child of the run. Then its end comes soon, and the parent's driver keeps the folded run; it decides
   * again whether to rest once the child is no longer driven.
   */
  follow({ open }: RunSteps, host: Driving): boolean {
    if (host.isStopping) return false;
    for (const [, step] of open) {
      const drive = step.kind === 'child' ? host.driveOf(step) : undefined;
      if (!drive) continue;
      if (!this.#followed.has(drive)) void drive.then(this.onArrival, this.onArrival);
      this.#followed.add(drive);
      return true;
    }
    return false;
  }

  /** Adds the ends to a draft. An end that answers no open step of the draft is not recorded by it. */
  addTo(draft: Draft): void {
    for (const { event, eventId, causationId } of this.#told.values())
      if (!draft.take(event, eventId, causationId)) this.settle(eventId, false);
  }

  settle(eventId: string, isRecorded: boolean): boolean {
    const told = this.#told.get(eventId);
    this.#told.delete(eventId);
    told?.settle(isRecorded);
    return told !== undefined;
  }

  /** The parent's driver is done: it records no more ends. */
  leave(): void {
    this.#isLeft = true;
    for (const eventId of this.#told.keys()) this.settle(eventId, false);
  }
}
