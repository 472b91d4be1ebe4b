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

/** The runs that this process drives. */
interface Driving {
  readonly isStopping: boolean;
  driveOf(run: { readonly workflow: string; readonly runId: string }): Promise<unknown> | undefined;
}

interface Told extends EndOfChild {
  settle(isRecorded: boolean): void;
}

/** The ends of children that this process drives, from when the driver of their parent is told of them until they are recorded. */
export class EndsInHand {
  readonly #told = new Map<string, Told>();
  readonly #followed = new WeakSet<Promise<unknown>>();
  #isLeft = false;

  constructor(private readonly onArrival: () => void) {}

  /** Resolves once it is recorded; false if it is not: the one who tells it appends it then. */
  tell(end: EndOfChild): Promise<boolean> {
    if (this.#isLeft) return Promise.resolve(false);
    return new Promise((settle) => {
      this.#told.set(end.eventId, { ...end, settle });
      this.onArrival();
    });
  }

  /**
   * Whether this process drives a child: then its end is soon heard of, and the driver keeps what it has folded. It judges again whether
   * it rests once the child is not driven any more.
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

  /** Adds them to a draft; those that answer nothing that is open there are not recorded by it. */
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

  /** The driver of the parent is gone. */
  leave(): void {
    this.#isLeft = true;
    for (const eventId of this.#told.keys()) this.settle(eventId, false);
  }
}
