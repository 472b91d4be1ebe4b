import { setTimeout } from 'node:timers/promises';
import {
  type EventLog,
  isInTexts,
  type Needs,
  NO_NEEDS,
  type Position,
  type StoredEvent,
} from '#lib/event-store';
import type { Event, RecordedEvent } from '#lib/kernel';
import { LogTail } from './log-tail.js';

/** An event of the log for several takers: it is decoded once for all of them. */
export class LogEvent {
  /** The category of its stream; `undefined` for a foreign stream. */
  readonly streamName: ReturnType<EventLog['streams']['parse']>;
  #decoded: RecordedEvent | undefined;
  #needs: Needs | undefined;

  /** @param whole the decoded event, if the caller has it */
  constructor(
    readonly stored: StoredEvent,
    private readonly log: EventLog,
    whole?: RecordedEvent,
  ) {
    this.streamName = log.streams.parse(stored.stream);
    this.#decoded = whole;
    this.#needs = whole && NO_NEEDS;
  }

  /** @throws UnknownEvent if this build does not have its type */
  checkType(): void {
    this.log.codec.checkType(this.stored);
  }

  /** Whether decoding needs more than its texts: then `whole` comes before `decoded`. @throws UndecodableEvent */
  isInParts(): boolean {
    return !isInTexts(this.#needed);
  }

  /** Whether parts of it are in blobs. @throws UndecodableEvent */
  hasBlobs(): boolean {
    return this.#needed.blobs.length > 0;
  }

  get #needed(): Needs {
    this.#needs ??= this.log.codec.needsOf(this.stored);
    return this.#needs;
  }

  /**
   * The event with all its parts. It is another object: large or personal parts are not kept as long as the page.
   * @throws UndecodableEvent @throws KeyMissing @throws StoreUnavailable
   */
  async whole(): Promise<LogEvent> {
    const whole = new LogEvent(this.stored, this.log);
    whole.#decoded = await this.log.decode<Event>(this.stored, this.#needed);
    return whole;
  }

  /** @throws UndecodableEvent */
  decoded(): RecordedEvent {
    this.#decoded ??= this.log.codec.decode<Event>(this.stored);
    return this.#decoded;
  }
}

type LogPage = readonly LogEvent[];

/** Characters of the events of one page: they are decoded and folded together. */
export const MOST_READ_BYTES = 4 * 1024 * 1024;
/**
 * Events of one page. A transaction of SQLite writes each changed page of the file, and ids are random: twice the events change
 * far less than twice the file pages.
 */
const PAGE = 2048;
const PAGES_KEPT = 2;
/** The pause before a server that lags behind another one is asked again. */
const AGAIN_MS = 100;

/**
 * The log as read by the loops of one process. They follow it side by side, while they catch up and afterwards, so each page is
 * read once for all; a loop that falls behind reads for itself.
 */
export class LogReader {
  readonly #pages = new Map<string, Promise<LogPage>>();
  #tail: LogTail<LogPage> | undefined;
  #followers = 0;

  constructor(private readonly log: EventLog) {}

  /**
   * The next events after a position ("": from the start); empty at the end. A page from before the log grew is short, and still
   * right: later events are in the next one.
   */
  pageAfter(position: string): Promise<LogPage> {
    return this.#pages.get(position) ?? this.#keep(position, this.#read(position));
  }

  /** Every event after a position ("": from the start), then those to come. @throws StoreUnavailable once the log is closed */
  async *follow(position: string, signal: AbortSignal): AsyncGenerator<LogPage> {
    this.#followers += 1;
    try {
      for (let at = position; !signal.aborted;) {
        const page = await unlessAborted(this.#after(at), signal);
        if (!page) return;
        yield page;
        at = page.at(-1)?.stored.position ?? at;
      }
    } finally {
      this.#followers -= 1;
      if (this.#followers === 0) this.#dropTail();
    }
  }

  async #after(position: string): Promise<LogPage | undefined> {
    const tail = (this.#tail ??= this.#tailFrom(position));
    if (position < tail.at) return this.#behind(position);
    let page: LogPage | undefined;
    try {
      page = await tail.next();
    } finally {
      if (!page && this.#tail === tail) this.#dropTail();
    }
    // A loop that read the log directly may be ahead of the tail.
    return page?.filter(({ stored }) => stored.position > position);
  }

  async #behind(position: string): Promise<LogPage> {
    const page = await this.pageAfter(position);
    // In any case other work of the process runs here.
    await setTimeout(page.length === 0 ? AGAIN_MS : 0);
    return page;
  }

  #tailFrom(position: string): LogTail<LogPage> {
    return new LogTail(this.log.store, position, (before, batch) => {
      const page = eventsOf(batch, this.log);
      void this.#keep(before, Promise.resolve(page));
      return page;
    });
  }

  #dropTail(): void {
    this.#tail?.leave();
    this.#tail = undefined;
  }

  #keep(position: string, page: Promise<LogPage>): Promise<LogPage> {
    this.#pages.set(position, page);
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > PAGES_KEPT && oldest !== undefined) this.#pages.delete(oldest);
    return page;
  }

  async #read(position: string): Promise<LogPage> {
    let page: LogPage = [];
    try {
      page = await readPage(this.log, position);
      return page;
    } finally {
      // The end of the log moves: an empty page is not kept.
      if (page.length === 0) this.#pages.delete(position);
    }
  }
}

/** The next events after a position ("": from the start), bounded in number and bytes; empty at the end. @throws StoreUnavailable */
export async function readPage(log: EventLog, position: string): Promise<LogPage> {
  const from = position === '' ? {} : { from: position as Position };
  return eventsOf(await log.store.readAll({ limit: PAGE, bytes: MOST_READ_BYTES, ...from }), log);
}

function eventsOf(batch: readonly StoredEvent[], log: EventLog): LogPage {
  return batch.map((stored) => new LogEvent(stored, log));
}

/** The value of a promise; `undefined` as soon as the signal aborts. The promise stays pending for its other callers. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const leave = () => resolve(undefined);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
