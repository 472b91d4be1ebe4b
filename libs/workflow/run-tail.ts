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

/** The stream of one run as its driver sees it: folded to a revision, read on if it may have grown, appended to there. */
export class RunTail {
  #run: Run;
  /** How far the stream is known to reach. */
  #heard = -1;
  /** Whether it may hold events that were not folded. */
  #isUnsure = false;
  #beginning: Beginning | undefined;

  /**
   * @param from the run as the log has it, or what `begin` appends first
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

  /** Present while the run is in no log: `begin` comes next. */
  get beginning(): Beginning | undefined {
    return this.#beginning;
  }

  get run(): Run {
    return this.#run;
  }

  /** False if the stream is folded to this revision already. */
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
   * Appends what asks for the run, then its start with this draft, in one flush if the store has one. If that fails, who
   * asked hears of it, and may ask again once the lease is released: what asks for the run may be written then.
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
   * Appends a draft, or a prefix of it if it is too large for one append: every prefix is a legal history. After a conflict
   * nothing of it was appended; `readOn` says what came first, or that it was this very append.
   * @param then is appended to another stream after all of the draft. It may meet a conflict, or be too large: then the draft is
   * appended alone
   * @returns what was appended of `then`
   * @throws AppendTooLarge if the first event alone is too large
   * @throws StoreUnavailable if it is unknown what was appended
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

  /** The draft is appended if the conflict was that of the other stream. */
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
