import type { Activity, ActivityEvent, Outcome } from './activity/activity.js';
import { type RecordedEvent, thrownText } from '#lib/kernel';
import { EndsInHand } from './ends-in-hand.js';
import type { OpenStep } from './run.decider.js';
import type { Run } from './run.rules.js';

/** An outcome that arrived, with the event id that it keeps until it is in the log. */
export interface Arrived {
  readonly eventId: string;
  readonly stepId: string;
  readonly event: ActivityEvent;
  /** The call was aborted before its outcome was known. */
  readonly isInterrupted: boolean;
}

type OpenCall = Extract<OpenStep, { kind: 'call' }>;

interface Call {
  readonly activity: Activity;
  readonly abort: AbortController;
  readonly hasSubject: boolean;
  arrived?: Arrived;
}

/** The calls that this process makes for one run, from their start until their outcomes are recorded or void. */
export class CallsInHand {
  readonly #calls = new Map<string, Call>();
  /** The ends of the run's children. */
  readonly ends: EndsInHand;

  constructor(
    private readonly runId: string,
    private readonly nextId: () => string,
    private readonly onArrival: () => void,
    private readonly emit: (stepId: string, text: string) => void,
  ) {
    this.ends = new EndsInHand(onArrival);
  }

  get size(): number {
    return this.#calls.size;
  }

  has(stepId: string): boolean {
    return this.#calls.has(stepId);
  }

  /** The outcomes that arrived, in the order of the calls. */
  get arrived(): readonly Arrived[] {
    return [...this.#calls.values()].flatMap(({ arrived }) => arrived ?? []);
  }

  start(activity: Activity, { data, metadata }: RecordedEvent<ActivityEvent>, memory: unknown): void {
    const { stepId, ...request } = data;
    const hasSubject = metadata.keyId !== undefined;
    const call: Call = { activity, abort: new AbortController(), hasSubject };
    this.#calls.set(stepId, call);
    const emit = (text: string) => this.emit(stepId, text);
    const context = { runId: this.runId, stepId, signal: call.abort.signal, emit };
    const performed = Promise.resolve().then(() => activity.perform(request, context, memory));
    void performed.catch(bug).then((outcome) => this.#arrive(stepId, call, outcome));
  }

  #arrive(stepId: string, call: Call, outcome: Outcome): void {
    const { activity, hasSubject } = call;
    const { events } = activity;
    const isFailure = 'failed' in outcome;
    const data = isFailure
      ? { stepId, ...outcome.failed }
      : { stepId, ...outcome.completed, ...(hasSubject && activity.keptAfterErasure?.(outcome.completed)) };
    const isInterrupted = isFailure && outcome.failed.failure.kind === 'interrupted';
    const event = { type: isFailure ? events.failed : events.completed, data };
    call.arrived = { eventId: this.nextId(), stepId, event, isInterrupted };
    this.onArrival();
  }

  /**
   * Open calls of the run that no driver of this process performs: the process that made them is gone.
   * @param requested ids of events that this driver tried to append
   */
  orphans({ steps }: Run, requested: ReadonlySet<string>): readonly OpenCall[] {
    const calls = [...steps.open].flatMap(([stepId, step]) =>
      step.kind === 'call' && !this.has(stepId) ? step : [],
    );
    return calls.filter(({ request }) => !requested.has(request.eventId));
  }

  abort(): void {
    for (const { abort } of this.#calls.values()) abort.abort();
  }

  drop(stepId: string): void {
    this.#calls.delete(stepId);
  }

  /** Forgets the call or the child whose outcome was recorded with this event id. */
  recorded(eventId: string): void {
    if (this.ends.settle(eventId, true)) return;
    for (const [stepId, { arrived }] of this.#calls) {
      if (arrived?.eventId === eventId) this.#calls.delete(stepId);
    }
  }

  /** Replaces an outcome that the log cannot hold. The end of a child is left to the child to append. False if the event is neither. */
  replace(eventId: string, outcome: Outcome): boolean {
    if (this.ends.settle(eventId, false)) return true;
    for (const [stepId, call] of this.#calls) {
      if (call.arrived?.eventId !== eventId) continue;
      this.#arrive(stepId, call, outcome);
      return true;
    }
    return false;
  }
}

function bug(error: unknown): Outcome {
  const message = thrownText(error);
  return { failed: { failure: { kind: 'internal', message, retryable: false, durationMs: 0 } } };
}
