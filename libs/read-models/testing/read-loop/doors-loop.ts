import type { ProjectionRunner } from '../../runner/projection-runner.js';
import type { ReadStore } from '../../store/read-store.js';
import {
  countsTable,
  doorsModel,
  doorsTable,
  type DoorTables,
  type Faults,
  openingsTable,
} from '../counted-doors.js';
import type { TestParts } from '../test-parts.js';

export const LONG_MS = 20_000;

/** A log, a read store and the loop that fills the rows of doors, for one test. */
export type DoorsLoop = Awaited<ReturnType<typeof doorsLoop>>;

/** @param runs of properties */
export async function doorsLoop(makeParts: () => TestParts, runs: number) {
  const parts = makeParts();
  const store = await parts.openStore();
  const runnerOn = (on: ReadStore, faults?: Faults) => parts.runner(on, [doorsModel(faults)]);
  const rowsIn = async (on: ReadStore = store) => {
    const db = on.db.withTables<DoorTables>();
    return {
      doors: await db.selectFrom(doorsTable.name).selectAll().orderBy('door_id').execute(),
      openings: await db.selectFrom(openingsTable.name).selectAll().orderBy('number').execute(),
      counts: await db.selectFrom(countsTable.name).selectAll().orderBy('is_open').execute(),
    };
  };
  return {
    makeParts,
    runs,
    parts,
    store,
    runnerOn,
    rowsIn,
    running: async (faults?: Faults): Promise<ProjectionRunner> => {
      const runner = runnerOn(store, faults);
      await runner.start();
      return runner;
    },
    doorsIn: async (on?: ReadStore) => (await rowsIn(on)).doors.map((row) => row.door_id),
    caughtUp: (runner: ProjectionRunner) => runner.caughtUpWithHead(LONG_MS),
    /** Resolves once no rebuild is left. */
    rebuilt: async (runner: ProjectionRunner): Promise<void> => {
      while ((await runner.status())[0]?.status !== 'live')
        await new Promise((resolve) => setTimeout(resolve, 5));
    },
    /** Appends an event that cannot be decoded, unless its data say otherwise. */
    storedOdd: (stream: string, type = 'SpecialistEnabled', data = '[]') =>
      parts.log.store.append(stream, 'any', [
        { eventId: `odd ${stream} ${type}`, type, data, metadata: '{"schemaVersion":1}' },
      ]),
  };
}
