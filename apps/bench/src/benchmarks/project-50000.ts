import { join } from 'node:path';
import type { EventLog } from '#lib/event-store';
import { models, openSqliteReadStore, ProjectionRunner, type ReadStore } from '#lib/read-models';
import type { Benchmark, Comparison } from '../comparison.js';
import { bareConnection } from '../fixtures/bare-connection.js';
import { type BareStatement, RecordingReadStore } from '../fixtures/recording-read-store.js';
import { makeSessionLog } from '../fixtures/session-log.js';

/** 2273 sessions of 22 events: a few more than 50,000. */
const SESSIONS = 2273;
const ROUNDS = 3;
const LONGEST_MS = 120_000;

/** Read models filled from the start of a log. */
export const project50000: Benchmark = {
  name: 'project-50000',
  async open(folder) {
    const { log, events } = await makeSessionLog(folder, { sessions: SESSIONS, rounds: ROUNDS });
    const parts = { folder, log, events };
    return {
      comparisons: [comparisonOf('project-50000', parts)],
      close: () => log.store.close(),
    };
  },
};

interface Parts {
  readonly folder: string;
  readonly log: EventLog;
  readonly events: number;
}

/** Both sides begin without a file and end with a closed one. The bare side writes the statements that ours wrote when it warmed up. */
function comparisonOf(name: string, { folder, log, events }: Parts): Comparison {
  let files = 0;
  const nextFile = () => join(folder, `${name}-${(files += 1)}.db`);
  let written: RecordingReadStore['transactions'] | undefined;
  const ours = async () => {
    const store = await openSqliteReadStore(nextFile());
    const recording = written ? undefined : new RecordingReadStore(store);
    await project(log, recording ?? store);
    written ??= recording?.transactions;
  };
  return {
    name,
    compared: `all rows over sessions and solicitations / the same statements in the same transactions, SQL and parameters ready`,
    unit: 'events',
    unitsPerCall: events,
    blocks: 3,
    callsPerBlock: 1,
    ours,
    bare: async () => write(nextFile(), written ?? []),
  };
}

async function project(log: EventLog, store: ReadStore): Promise<void> {
  const runner = new ProjectionRunner(log, store, [{ name: 'rows', models }]);
  await runner.start();
  await runner.caughtUpWithHead(LONGEST_MS);
  await runner.stop();
  await store.close();
}

function write(file: string, transactions: readonly (readonly BareStatement[])[]): void {
  const db = bareConnection(file, 'NORMAL');
  const prepared = new Map<string, ReturnType<typeof db.prepare>>();
  const run = db.transaction((statements: readonly BareStatement[]) => {
    for (const [sql, parameters] of statements) {
      const statement = prepared.get(sql) ?? db.prepare(sql);
      prepared.set(sql, statement);
      statement.run(parameters);
    }
  });
  for (const statements of transactions) run.immediate(statements);
  db.close();
}
