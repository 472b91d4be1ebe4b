import { join } from 'node:path';
import { temporaryFolder } from '#lib/kernel/testing';
import type { EventLog } from '#lib/event-store';
import type { LoopModels, ReadModel } from '../loop/declare.js';
import { models } from '../models.js';
import { ProjectionRunner } from '../runner/projection-runner.js';
import { openMemoryReadStore, openSqliteReadStore } from '../store/open-sqlite-read-store.js';
import type { ReadStore } from '../store/read-store.js';
import { loopOf } from './loop-of.js';
import { appendAll, openLog, type PlacedEvent } from './sample-log.js';

const LONG_MS = 20_000;

/** The resources of a test, closed in one call: read stores in one folder or database, runners on one log. */
export class TestParts {
  readonly #folder = temporaryFolder();
  readonly #stores: ReadStore[] = [];
  readonly #runners: ProjectionRunner[] = [];

  /** `open` gives a store on the place of a name. Default: SQLite files, and memory for `project`. */
  constructor(
    readonly log: EventLog = openLog(),
    private readonly open?: (file: string) => Promise<ReadStore>,
  ) {}

  async openStore(file = 'read.db'): Promise<ReadStore> {
    return this.#closedAtEnd(
      await (this.open ? this.open(file) : openSqliteReadStore(join(this.#folder, file))),
    );
  }

  /** A runner of one loop. */
  runner(store: ReadStore, chosen: readonly ReadModel[] = models): ProjectionRunner {
    return this.runnerOf(store, [loopOf(chosen)]);
  }

  runnerOf(store: ReadStore, loops: readonly LoopModels[]): ProjectionRunner {
    const runner = new ProjectionRunner(this.log, store, loops);
    this.#runners.push(runner);
    return runner;
  }

  /** A store with all rows of these events. */
  async project(events: readonly PlacedEvent[], chosen?: readonly ReadModel[]): Promise<ReadStore> {
    const store = this.open ? await this.openStore() : this.#closedAtEnd(openMemoryReadStore());
    const runner = this.runner(store, chosen);
    await appendAll(this.log, events);
    await runner.start();
    await runner.caughtUpWithHead(LONG_MS);
    return store;
  }

  #closedAtEnd(store: ReadStore): ReadStore {
    this.#stores.push(store);
    return store;
  }

  async close(): Promise<void> {
    for (const runner of this.#runners) await runner.stop();
    for (const store of this.#stores) await store.close();
    await this.log.store.close();
  }
}
