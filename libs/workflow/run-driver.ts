import type { Activity } from './activity/activity.js';
import type { Appended } from '#lib/event-store';
import { AppendTooLarge, ChangeSignal, idInStream, StoreUnavailable, threadTurns } from '#lib/event-store';
import type { Rejection } from '#lib/kernel';
import { SlotHolder } from './call-slots.js';
import { type Arrived, CallsInHand } from './calls-in-hand.js';
import type { CallRequest } from './derive.rules.js';
import { Draft, engineRecorder } from './draft.rules.js';
import { cannotPerform, interruption, tooLarge } from './driver-failures.js';
import type { Beginning, DriverParts } from './driver-parts.js';
import type { EndsInHand } from './ends-in-hand.js';
import { HeldLease } from './leases/held-lease.js';
import { timedSteps } from './run.decider.js';
import { memoryOf, type Run } from './run.rules.js';
import { RunTail } from './run-tail.js';
import type { RunCancelRequested } from './runtime.events.js';

/** `parked`: the run waits for an external event; `unfinished`: another driver has to continue it. */
type Rest = 'parked' | 'ended' | 'unfinished';

/** A run whose next timer is due within this time keeps its driver. */
const PARK_MS = 5_000;
const RETRY_MS = 500;
/** Consecutive turns that fail because the store is unavailable, before the failure is reported. */
const STALLED_AFTER = 3;

/**
 * Drives one run under its lease: fold, derive in memory, append, start the calls whose requests are durable, append outcomes as they arrive. One
 * loop does all work in turn; other code only rings its bell. Every append is made at the revision that was folded. After a conflict the new events
 * are folded, and the arrived outcomes are checked against the open steps again.
 */
export class RunDriver {
  readonly #bell = new ChangeSignal();
  readonly #never = new AbortController().signal;
  readonly #hand: CallsInHand;
  readonly #slots: SlotHolder;
  readonly #record: ReturnType<typeof engineRecorder>;
  #tail?: RunTail;
  /** Ids of events that this driver tried to append. A call is started only by the driver that tried to append its request. */
  readonly #requested = new Set<string>();
  /** The number of rings before the last turn began. */
  #rings = 0;
  /** The number of wakes without an event of the run, and that number when the owner last needed the run. */
  #wakes = 0;
  #neededAt = 0;
  #isBlocked = false;
  #failedTurns = 0;
  #refusal?: Rejection;
  #failure?: { readonly error: unknown };
  /** The events that were appended to the owner's stream together with the end. */
  #delivered?: Appended | undefined;
  #isHalted = false;
  #isDone = false;

  /** @param from the run as its stored start begins it, or the events to append first; without it, the run is loaded */
  constructor(
    readonly stream: string,
    private readonly parts: DriverParts,
    from?: Run | Beginning,
  ) {
    const { ids, slots, host, time } = parts;
    const now = () => time.now().toISOString();
    this.#record = engineRecorder(() => ids.next(), now);
    const ring = () => this.#bell.announce();
    const emit = (stepId: string, text: string) =>
      this.#tail && host.emit(this.#tail.run.start, stepId, text);
    this.#hand = new CallsInHand(idInStream(stream), () => ids.next(), ring, emit);
    this.#slots = new SlotHolder(slots, ring);
    if (from) this.#tail = new RunTail(parts.log, from, this.#hand);
    else this.#wakes = 1;
  }

  /** The run as it was folded last. */
  get run(): Run | undefined {
    return this.#tail?.run;
  }

  /** This driver reads no more events: a wake that comes now needs another driver. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** @param revision that the stream has reached; `undefined` if only time has passed */
  wake(revision?: number): void {
    if (revision === undefined) this.#wakes += 1;
    else if (this.#tail?.hear(revision) === false) return;
    this.#bell.announce();
  }

  /** Aborts the open calls, records them as interrupted if the store can take that, and ends. */
  halt(): void {
    this.#isHalted = true;
    this.#hand.abort();
    this.#bell.announce();
  }

  /** The ends of children that the next append records. */
  get ends(): EndsInHand {
    return this.#hand.ends;
  }

  /**
   * Resolves when the run has ended, waits for an event from outside, or belongs to another process.
   * @returns the revision at which the run waits or has ended: no event follows from the stream up to there
   * @throws WorkflowBug, or another error that a repetition alone does not remove. Outcomes that arrived are recorded before.
   */
  drive(): Promise<number | undefined> {
    return this.#driven().finally(() => this.ends.leave());
  }

  async #driven(): Promise<number | undefined> {
    this.#tail ??= await this.#load();
    if (!this.#tail) return undefined;
    const tail = this.#tail;
    let rest: Rest | undefined;
    do {
      rest = await this.#driveUnderLease(tail);
    } while (rest === 'parked' && (await this.#somethingCame(tail)));
    if (this.#failure) throw this.#failure.error;
    const { end, revision } = tail.run.steps;
    // A run whose first append failed rests, too, but has not ended.
    return rest === 'parked' || (rest === 'ended' && end) ? revision : undefined;
  }

  /** Loads the run before the lease is taken: the stream may grow meanwhile. */
  async #load(): Promise<RunTail | undefined> {
    const run = await this.parts.host.resume(this.stream);
    const tail = run && new RunTail(this.parts.log, run, this.#hand);
    tail?.doubt();
    return tail;
  }

  async #driveUnderLease(tail: RunTail): Promise<Rest | undefined> {
    const { holder } = this.parts;
    const lease = await HeldLease.take(holder, this.stream, () => this.#bell.announce());
    if (!lease) return undefined;
    const rest = await this.#turns(tail, lease);
    this.#slots.release();
    await lease.release(rest === 'unfinished' ? 'leave' : 'release');
    return rest;
  }

  /** Whether an event or a ring came since the last turn. Called after the lease is released. */
  async #somethingCame(tail: RunTail): Promise<boolean> {
    const { revision } = tail.run.steps;
    tail.doubt();
    const run = await tail.readOn().catch(() => tail.run);
    tail.doubt();
    // Set in the same turn of the event loop as the count is read, so that no ring is lost in between.
    this.#isDone = run.steps.revision === revision && this.#bell.count === this.#rings;
    return !this.#isDone;
  }

  async #turns(tail: RunTail, lease: HeldLease): Promise<Rest> {
    for (;;) {
      this.#rings = this.#bell.count;
      const next = await this.#turn(tail, lease).catch((error: unknown) => this.#failed(error));
      if (next !== 'again' && next !== 'wait') return next;
      if (next === 'wait') await this.#bell.after(this.#rings, this.#never).then(() => threadTurns.next());
    }
  }

  async #turn(tail: RunTail, lease: HeldLease): Promise<Rest | 'again' | 'wait'> {
    const run = await tail.readOn();
    if (lease.isLost || this.#failure) return this.#leave(tail, lease);
    if (run.steps.cancelRequested || run.steps.end) this.#hand.abort();
    if (this.#hand.orphans(run, this.#requested).length > 0 && !(await lease.confirm())) return 'again';
    const draft = this.#draft(run, await this.#withdrawal(run));
    for (const { eventId } of draft.events) this.#requested.add(eventId);
    if (tail.beginning) return tail.begin(draft, tail.beginning);
    if (draft.events.length > 0) return this.#append(tail, draft);
    this.#isBlocked ||= !(await this.parts.children.tend(run));
    if (run.steps.end) return this.#conclude(run);
    this.#failedTurns = 0;
    return (await this.#startCalls(run, lease)) ? this.#rest(run) : 'again';
  }

  /** Reads the owner's stream only after a wake: the process that begins a run has read it, and a withdrawal wakes the run. */
  async #withdrawal(run: Run): Promise<RunCancelRequested | undefined> {
    const { owned } = this.parts;
    const wakes = this.#wakes;
    if (wakes === this.#neededAt || !owned.mayBeWithdrawn(run)) return undefined;
    const withdrawal = await owned.withdrawal(run);
    if (!withdrawal) this.#neededAt = wakes;
    return withdrawal;
  }

  /** Waits if the store is unavailable. Any other error ends the drive, once the outcomes that arrived are recorded. */
  #failed(error: unknown): Rest | 'again' | 'wait' {
    if (error instanceof StoreUnavailable && !this.#isHalted) {
      // Reported after each further turn, so that callers that came meanwhile get the error, too.
      if (++this.#failedTurns >= STALLED_AFTER) this.parts.host.stalled(this.stream, error);
      this.parts.time.after(RETRY_MS, () => this.#bell.announce());
      return 'wait';
    }
    if (this.#failure || this.#isHalted) return 'unfinished';
    this.#failure = { error };
    return 'again';
  }

  /** Takes events from outside, each with the events that follow from it. Cancels a run that its owner no longer needs. @throws WorkflowBug */
  #draft(run: Run, withdrawal: RunCancelRequested | undefined): Draft {
    const { time, activities } = this.parts;
    this.#isBlocked = false;
    this.#refusal = undefined;
    const draft = new Draft(run, this.#record, (request) => this.#admits(request));
    draft.settle();
    if (withdrawal) draft.take(withdrawal);
    for (const { event, eventId } of this.#outcomes(run)) draft.take(event, eventId);
    this.ends.addTo(draft);
    for (const { activity, request } of this.#hand.orphans(run, this.#requested)) {
      draft.take(interruption(activities.named(activity) as Activity, request));
    }
    const now = time.now().getTime();
    for (const { stepId, dueAt } of timedSteps(run.steps))
      if (dueAt <= now) draft.take({ type: 'TimerFired', data: { stepId } });
    this.#slots.keep((stepId) => draft.run.steps.open.has(stepId));
    return draft;
  }

  #admits({ event, step }: CallRequest): boolean {
    const { activities, host } = this.parts;
    const activity = activities.named(step.activity) as Activity;
    this.#refusal ??= activity.preflight(event.data);
    const isAdmitted = !this.#refusal && !host.isStopping && this.#slots.take(step.id, activity, event.data);
    this.#isBlocked ||= !isAdmitted;
    return isAdmitted;
  }

  /** Outcomes that arrived for open calls. The calls of a run that was given up stay open, but their outcomes are not recorded. */
  #outcomes({ steps }: Run): readonly Arrived[] {
    return this.#hand.arrived.filter(({ stepId, event }) => {
      if (!steps.end && steps.open.has(stepId)) return true;
      this.#hand.drop(stepId);
      this.parts.host.discard(this.stream, event);
      return false;
    });
  }

  async #append(tail: RunTail, draft: Draft): Promise<'again'> {
    const { run } = draft;
    try {
      this.#delivered = await tail.append(draft, run.steps.end && this.parts.owned.planDelivery(run));
    } catch (error) {
      const [first] = draft.events;
      const isReplaced =
        error instanceof AppendTooLarge && this.#hand.replace(first?.eventId ?? '', tooLarge(error));
      if (!isReplaced) throw error;
    }
    return 'again';
  }

  /** False if the open steps have to be decided again. */
  async #startCalls(run: Run, lease: HeldLease): Promise<boolean> {
    for (const [stepId, step] of run.steps.open) {
      if (step.kind !== 'call' || this.#hand.has(stepId)) continue;
      const mayStart = !run.steps.cancelRequested && !this.parts.host.isStopping;
      if (mayStart && !(await lease.confirm())) return false;
      this.#requested.delete(step.request.eventId);
      // From here on, a call that was not started is an orphan.
      if (!mayStart) return false;
      const activity = this.parts.activities.named(step.activity) as Activity;
      this.#hand.start(activity, step.request, memoryOf(run, activity.name));
    }
    return true;
  }

  #rest({ steps, rules, state }: Run): Rest | 'wait' {
    const { host, time, checksRules } = this.parts;
    if (checksRules) rules.check?.(state);
    const [{ dueAt } = { dueAt: Infinity }] = timedSteps(steps);
    if (dueAt < Infinity) host.wakeAt(this.stream, dueAt);
    if (this.#hand.size > 0 || this.ends.follow(steps, host)) return 'wait';
    if (this.#refusal && steps.open.size === 0) throw cannotPerform(this.stream, this.#refusal);
    if (this.#isBlocked && (this.#refusal || host.isStopping)) return 'unfinished';
    const isShort = dueAt - time.now().getTime() <= PARK_MS;
    return (this.#isBlocked || isShort) && !host.isStopping ? 'wait' : 'parked';
  }

  async #conclude(run: Run): Promise<Rest | 'wait'> {
    if (this.#hand.size > 0) return 'wait';
    await this.parts.host.deliver(run, this.#delivered);
    return 'ended';
  }

  /** Records the outcomes that arrived, and derives no event: the lease is lost, or the rules are broken. */
  async #leave(tail: RunTail, { isLost }: HeldLease): Promise<Rest | 'again' | 'wait'> {
    const { run } = tail;
    if (isLost) this.#hand.abort();
    const draft = new Draft(run, this.#record);
    for (const { event, eventId, isInterrupted, stepId } of this.#outcomes(run)) {
      // The next owner of the lease records the calls that were aborted here as interrupted.
      if (isLost && isInterrupted) this.#hand.drop(stepId);
      else draft.take(event, eventId);
    }
    if (draft.events.length > 0) return this.#append(tail, draft);
    return this.#hand.size > 0 ? 'wait' : 'unfinished';
  }
}
