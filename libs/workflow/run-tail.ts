import {
  type Appended,
  AppendTooLarge,
  type EventLog,
  type NewEvent,
  RevisionConflict,
  type StreamAppend,
} from '#lib/event-store';
import type { RecordedEvent } from '#lib/kernel';
import type { CallsInHand } from './calls-in-hand.js';
import { type Draft, toAppend } from './draft.rules.js';
import type { Beginning } from './driver-parts.js';
import { evolveRun, type Run } from './run.rules.js';

/** The stream of one run as its driver sees it: folded to a revision, read further if it may have grown, appended to at that revision. */
export class RunTail {
  #run: Run;
  /** The highest revision that the stream is known to have. */
  #heard = -1;
  /** Whether the stream may hold events that were not folded. */
  #isUnsure = false;
  #beginning: Beginning | undefined;

  /**
   * @param from the run as the log has it, or the events that `begin` appends first
   * @param hand lets go of the outcomes that were found in the stream
   */
  constructor(
    private readonly log: EventLog,
    from: Run | Beginning,
    private readonly hand: Pick<CallsInHand, 'recorded'>,
  ) {
    if ('prepared' in from) this.#beginning = from;
    this.#run = 'prepared' in from ? from.prepared : from;
  }

  /** Present while the run is not in the log: then `begin` comes next. */
  get beginning(): Beginning | undefined {
    return this.#beginning;
  }

  get run(): Run {
    return this.#run;
  }

  /** False if the stream is already folded to this revision. */
  hear(revision: number): boolean {
    this.#heard = Math.max(this.#heard, revision);
    return revision > this.#run.steps.revision;
  }

  doubt(): void {
    this.#isUnsure = true;
  }

  /** @throws StoreUnavailable @throws UndecodableEvent */
  async readOn(): Promise<Run> {
    const { start, steps } = this.#run;
    if (!this.#isUnsure && this.#heard <= steps.revision) return this.#run;
    const since = await this.log.readStream(start.stream, { from: steps.revision + 1 });
    this.#isUnsure = false;
    this.#reached(since.reduce(evolveRun, this.#run), since);
    return this.#run;
  }

  /**
   * Appends the request for the run, then its start with this draft, in one flush if the store has one. If the append fails, the caller of the
   * request gets the error, and may try again once the lease is released. The request may have been written.
   */
  async begin({ run, events }: Draft, beginning: Beginning): Promise<'again' | 'ended'> {
    const { start } = this.#run;
    const started = {
      stream: start.stream,
      expected: 'no-stream',
      events: [start, ...events].map(toAppend),
    } as const;
    try {
      const [asking] = await this.log.appendInOrder([beginning.request, started]);
      this.#beginning = undefined;
      this.#reached(run, events);
      beginning.begun(asking as Appended);
      return 'again';
    } catch (error) {
      beginning.failed(error);
      return 'ended';
    }
  }

  /**
   * Appends a draft, or the first part of it if it is too large for one append: every first part is a legal history. After a conflict no event of it
   * was appended, and `readOn` gives the events that came first; they may be those of this very append.
   * @param then is appended to another stream after the whole draft. If it meets a conflict or is too large, the draft is appended alone
   * @returns the result of `then`, if it was appended
   * @throws AppendTooLarge if the first event alone is too large
   * @throws StoreUnavailable if it is unknown whether the append succeeded
   */
  async append(
    { run, events }: Pick<Draft, 'run' | 'events'>,
    then?: StreamAppend<NewEvent>,
  ): Promise<Appended | undefined> {
    const { start, steps } = this.#run;
    const draft = { stream: start.stream, expected: steps.revision, events: events.map(toAppend) };
    this.#isUnsure = true;
    try {
      const [, appended] = then
        ? await this.log.appendInOrder([draft, then])
        : [await this.log.append(draft.stream, draft.expected, draft.events)];
      this.#isUnsure = false;
      this.#reached(run, events);
      return appended;
    } catch (error) {
      if (error instanceof RevisionConflict) return this.#conflicted(error, run, events);
      if (!(error instanceof AppendTooLarge)) throw error;
      if (then) return this.append({ run, events });
      if (events.length === 1) throw error;
      const half = events.slice(0, Math.ceil(events.length / 2));
      return this.append({ run: half.reduce(evolveRun, this.#run), events: half });
    }
  }

  /** After a conflict of the other stream, the draft is appended. */
  #conflicted({ written }: RevisionConflict, run: Run, events: readonly RecordedEvent[]): undefined {
    if (written.length === 0) return;
    this.#isUnsure = false;
    this.#reached(run, events);
  }

  #reached(run: Run, events: readonly RecordedEvent[]): void {
    this.#run = run;
    for (const { eventId } of events) this.hand.recorded(eventId);
  }
}
