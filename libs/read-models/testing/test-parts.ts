import { join } from 'node:path';
import type { EventLog } from '#lib/event-store';
import type { ReadModel } from '../loop/declare.js';
import type { LoopModels } from '../loop/fold-taker.js';
import { models, projections } from '../projections.js';
import { prepareProjections } from '../runner/checkpoints.js';
import type { Projection } from '../runner/projection.js';
import { ProjectionRunner } from '../runner/projection-runner.js';
import { openSqliteReadStore } from '../store/open-sqlite-read-store.js';
import type { ReadStore } from '../store/read-store.js';
import { appendAll, openLog, type PlacedEvent } from './sample-log.js';
import { tempDir } from './temp-dir.js';

const LONG_MS = 20_000;

/** A projection or a read model: each fills rows. */
type Filler = Projection | ReadModel;

const all: readonly Filler[] = [...projections, ...models];

/** A loop that fills these models. */
export function loopOf(models: readonly ReadModel[]): LoopModels {
  return { name: 'rows', models };
}

/** The resources of a test, closed in one call: read stores in one folder or database, runners on one log. */
export class TestParts {
  readonly #dir = tempDir();
  readonly #stores: ReadStore[] = [];
  readonly #runners: ProjectionRunner[] = [];

  /** `open` gives a store on the place of a name; files of SQLite if it is left out. */
  constructor(
    readonly log: EventLog = openLog(),
    private readonly open = (file: string) => openSqliteReadStore(join(this.#dir.path, file)),
  ) {}

  async openStore(file = 'read.db'): Promise<ReadStore> {
    const store = await this.open(file);
    this.#stores.push(store);
    return store;
  }

  /** A store that has the tables, and nothing in them. */
  async openReady(chosen: readonly Projection[] = projections, file = 'read.db'): Promise<ReadStore> {
    const store = await this.openStore(file);
    await store.write(prepareProjections(chosen));
    return store;
  }

  runner(
    store: ReadStore,
    chosen: readonly Filler[] = projections,
    folded: readonly ReadModel[] = chosen.filter(isModel),
  ): ProjectionRunner {
    const others = chosen.filter((one): one is Projection => !isModel(one));
    const runner = new ProjectionRunner(this.log, store, others, {
      ...(folded.length > 0 && { models: loopOf(folded) }),
    });
    this.#runners.push(runner);
    return runner;
  }

  /** A store with everything in it that these events lead to. */
  async project(
    events: readonly PlacedEvent[],
    chosen: readonly Filler[] = all,
    folded?: readonly ReadModel[],
  ): Promise<ReadStore> {
    const store = await this.openStore();
    const runner = this.runner(store, chosen, folded);
    await appendAll(this.log, events);
    await runner.start();
    await runner.caughtUpWithHead(LONG_MS);
    return store;
  }

  async close(): Promise<void> {
    for (const runner of this.#runners) await runner.stop();
    for (const store of this.#stores) await store.close();
    await this.log.store.close();
    this.#dir.remove();
  }
}

function isModel(one: Filler): one is ReadModel {
  return 'kinds' in one;
}
