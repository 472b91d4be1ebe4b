import type { Worker } from 'node:worker_threads';
import type { LogRange, LogReplayReport } from '#lib/engine/core';
import { CommandFailed, type Failure } from '../error-classes.js';
import { ReplayThread } from './replay-thread.js';

type Reports = readonly LogReplayReport[];

/** More than one, so that a thread has work while another one verifies a range that takes longer. */
const RANGES_OF_THREAD = 2;

/**
 * Verifies the ranges in at most `jobs` threads; the reports come in the order of the ranges. A failed range is not verified again: its
 * reports before the failure come first, then its error. A missing key fails once all ranges are verified.
 * @throws CommandFailed @throws ThreadLost
 */
export async function* verifyInThreads(
  ranges: AsyncIterable<LogRange>,
  jobs: number,
  start: () => Worker,
): AsyncGenerator<LogReplayReport> {
  const threads = new ReplayThreads(jobs, start);
  try {
    const verify = (range: LogRange) => threads.verify(range);
    for await (const reports of inOrder(ranges, jobs * RANGES_OF_THREAD, verify)) yield* reports;
    if (threads.missing) throw new CommandFailed(threads.missing);
  } finally {
    await threads.end();
  }
}

/** Threads that are started when they are needed; ranges get a free thread in order. */
class ReplayThreads {
  readonly #started: ReplayThread[] = [];
  readonly #idle: ReplayThread[] = [];
  readonly #waiting: ((thread: ReplayThread) => void)[] = [];
  /** The failure of the first stream whose key is missing, among the ranges that were read to their end. */
  missing: Failure | undefined;

  constructor(
    private readonly most: number,
    private readonly start: () => Worker,
  ) {}

  async *verify(range: LogRange): AsyncGenerator<Reports> {
    const thread = await this.#taken();
    let answer = await thread.ask(range);
    while (!answer.done) {
      yield answer.value;
      answer = await thread.ask('next');
    }
    this.#release(thread);
    yield answer.value;
    this.missing ??= answer.missing;
  }

  async end(): Promise<void> {
    await Promise.all(this.#started.map((thread) => thread.end()));
  }

  #taken(): Promise<ReplayThread> | ReplayThread {
    const idle = this.#idle.pop();
    if (idle) return idle;
    if (this.#started.length === this.most) return new Promise((resolve) => this.#waiting.push(resolve));
    const thread = new ReplayThread(this.start());
    this.#started.push(thread);
    return thread;
  }

  #release(thread: ReplayThread): void {
    const next = this.#waiting.shift();
    if (next) next(thread);
    else this.#idle.push(thread);
  }
}

/**
 * The results of work on each item, in the order of the items. At most `most` items are in work at once; each is one result ahead of the
 * reader.
 */
async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  most: number,
  work: (item: Item) => AsyncGenerator<Result>,
): AsyncGenerator<Result> {
  const begun: AsyncIterable<Result>[] = [];
  for await (const item of items) {
    begun.push(oneAhead(work(item)));
    const oldest = begun.length === most ? begun.shift() : undefined;
    if (oldest) yield* oldest;
  }
  for (const rest of begun) yield* rest;
}

function oneAhead<Result>(results: AsyncGenerator<Result>): AsyncIterable<Result> {
  const first = results.next();
  // The reader, who may come later or not at all, gets its error.
  first.catch(() => undefined);
  return (async function* () {
    for (let { done, value } = await first; !done; { done, value } = await results.next()) yield value;
  })();
}
