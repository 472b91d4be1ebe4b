import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import {
  type AppendResult,
  ChangeSignal,
  checkAppend,
  decideAppendModule,
  type EventStore,
  type EventToStore,
  type ExpectedRevision,
  followLog,
  formatPosition,
  type Position,
  type ReadAllOptions,
  type ReadStreamOptions,
  RevisionConflict,
  type StoredEvent,
  StoreUnavailable,
  type StreamAppend,
} from '#lib/event-store';
import type { AppendWorkerData } from './append-messages.js';
import type { OpenedFile } from './opened-files.mjs';
import { AppendQueue } from './append-queue.js';
import { CommitWatch } from './commit-watch.js';
import { EventReader } from './event-reader.js';
import { damaged, findDamage, readLastEvents } from './integrity.js';
import { openLogFile } from './log-file.js';
import { orUnavailable } from './unavailable.js';

/**
 * The log in one SQLite file: durable when acknowledged, append-only by the database's own rules, shared by any number of processes on one machine.
 * Appends run in a worker thread, which starts with the first append, and share flushes; reads run on the calling thread. A store that has a
 * subscription or has appended keeps its process alive until it is closed.
 */
export class SqliteEventStore implements EventStore {
  readonly positionsAreGapFree = true;
  readonly #arrivals = new ChangeSignal();
  readonly #queue: AppendQueue;
  readonly #watch: CommitWatch;
  #closing: Promise<void> | undefined;
  #damage: readonly string[] = [];
  readonly #ending = new AbortController();
  #checking: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly file: string,
    readonly logId: string,
    opened: readonly OpenedFile[],
    private readonly walFile: string,
    private readonly reader: EventReader,
  ) {
    this.#watch = new CommitWatch(
      () => reader.dataVersion(),
      () => this.#arrivals.announce(),
    );
    this.#queue = new AppendQueue(
      () => startWorker({ file, logId, opened, decideAppendModule: decideAppendModule.href }),
      file,
      () => this.#watch.check(),
    );
  }

  /**
   * Opens the log in this file. Makes the file and the folders above it if there are none, unless the log must exist.
   * @throws NoLog @throws StoreUnavailable if that cannot be done, if the file is not a log of Redial, or if it has a newer format
   */
  static async open(file: string, { mustExist = false } = {}): Promise<SqliteEventStore> {
    const path = resolve(file);
    const { logId, opened, walFile, db } = await openLogFile(path, mustExist);
    try {
      return orUnavailable(`cannot open the event log ${path}`, () => {
        const reader = new EventReader(db, logId);
        readLastEvents(reader);
        return new SqliteEventStore(path, logId, opened, walFile, reader);
      });
    } catch (error) {
      db.close();
      throw error;
    }
  }

  async append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly EventToStore[],
  ): Promise<AppendResult> {
    const results = await this.appendInOrder([{ stream, expected, events }]);
    return results[0] as AppendResult;
  }

  async appendInOrder(appends: readonly StreamAppend[]): Promise<readonly AppendResult[]> {
    this.#assertOpen();
    if (this.#damage.length > 0) throw damaged(this.file, this.#damage);
    appends.forEach(checkAppend);
    const outcome = await this.#queue.append(appends);
    const results = outcome.stored.map(({ revision, sequence }) => {
      return { revision, position: formatPosition(this.logId, sequence) };
    });
    if (outcome.kind === 'stored') return results;
    const { stream, expected } = appends[results.length] as StreamAppend;
    throw new RevisionConflict(stream, expected, outcome.actual, results);
  }

  /** Checks schema, pages and the order of events; a large file in a process of its own. Once it has found damage, appends are refused. */
  async checkIntegrity(): Promise<readonly string[]> {
    const check = this.#read(() => findDamage(this.file, this.reader, this.#ending.signal));
    this.#checking = Promise.resolve(check).catch(() => undefined);
    this.#damage = await check;
    return this.#damage;
  }

  async readStream(stream: string, options: ReadStreamOptions = {}): Promise<readonly StoredEvent[]> {
    return this.#read(() => this.reader.stream(stream, options));
  }

  async lastRevisions(streams: readonly string[]): Promise<readonly (number | undefined)[]> {
    return this.#read(() => this.reader.lastRevisions(streams));
  }

  async readAll(options: ReadAllOptions): Promise<readonly StoredEvent[]> {
    return this.#read(() => this.reader.all(options));
  }

  async head(): Promise<Position | undefined> {
    return this.#read(() => this.reader.head());
  }

  subscribe(after: Position | undefined, signal: AbortSignal): AsyncIterable<readonly StoredEvent[]> {
    if (!this.#closing) this.#watch.start(this.walFile);
    return followLog(this, this.#arrivals, after, signal);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#queue.drained();
    this.#ending.abort();
    await this.#checking;
    this.#watch.stop();
    this.#arrivals.end();
    this.reader.close();
    // Closed last: then the worker's connection merges the -wal file, and not this thread.
    await this.#queue.close();
  }

  #read<T>(read: () => T): T {
    this.#assertOpen();
    return orUnavailable(`cannot read the event log ${this.file}`, read);
  }

  #assertOpen(): void {
    if (!this.#closing) return;
    throw new StoreUnavailable(`cannot use the event log ${this.file}`, 'it is closed', 'Open it again');
  }
}

function startWorker(workerData: AppendWorkerData): Worker {
  const module = import.meta.resolve('#lib/event-store-sqlite/append-worker.mjs');
  return new Worker(new URL(module), { workerData });
}
