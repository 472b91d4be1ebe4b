import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { Database } from '#lib/event-store-sqlite';
import type { Benchmark, Comparison, Observation } from '../comparison.js';
import { type CycleEngine, openCycleEngine } from '../fixtures/cycle-engine.js';
import { makeSessionLog } from '../fixtures/session-log.js';

const DECISIONS = 10_000;
const ROUNDS = 2;
const VIEWS_MS = 3_000;
const LONGEST_MS = 3_600_000;
const TIMES = 3;
/** Of the working directory: benchmarks run in the folder of the project. */
const PAGE = 'docs/views.md';
const QUESTION = /^(.+\?)\n\n```sql\n([\s\S]*?)```/gm;

/** Exports of decisions beside a bare select into the same file, and the questions of docs/views.md beside the counts of their views. */
export const analysts: Benchmark = {
  name: 'analysts',
  onlyByName: true,
  async open(folder) {
    const { log } = await makeSessionLog(folder, { sessions: DECISIONS / ROUNDS, rounds: ROUNDS });
    await log.store.close();
    const engine = await openCycleEngine(folder, { readOnly: true, drive: { enabled: false } });
    await engine.projections.caughtUpWithHead(LONGEST_MS);
    // Views are made within a second after that.
    await delay(VIEWS_MS);
    const db = new Database(join(folder, 'read.sqlite'), { readonly: true });
    const file = join(folder, 'export');
    return {
      comparisons: (['csv', 'jsonl'] as const).map((format) => comparison(engine, db, file, format)),
      observe: async () => questions(db),
      close: async () => {
        db.close();
        await engine.close();
      },
    };
  },
};

type ReadOnly = InstanceType<typeof Database>;

function comparison(
  { redial }: CycleEngine,
  db: ReadOnly,
  file: string,
  format: 'csv' | 'jsonl',
): Comparison {
  const select = db.prepare('select * from redial_decisions');
  const text =
    format === 'csv'
      ? (row: object) => `${Object.values(row).join(',')}\n`
      : (row: object) => `${JSON.stringify(row)}\n`;
  return {
    name: `export-${format}`,
    compared: `export of decisions as ${format} / a select of the view into a file`,
    unit: 'decisions',
    goal: 0.5,
    unitsPerCall: DECISIONS,
    blocks: 5,
    callsPerBlock: 1,
    ours: async () => {
      await pipeline(
        Readable.from(await redial.exportDataset({ dataset: 'decisions', format })),
        createWriteStream(file),
      );
    },
    bare: async () => {
      const lines = function* () {
        for (const row of select.iterate()) yield text(row as object);
      };
      await pipeline(Readable.from(lines()), createWriteStream(file));
    },
  };
}

/** How many times as long each question takes as the counts of the views that it names. */
function questions(db: ReadOnly): readonly Observation[] {
  return [...readFileSync(PAGE, 'utf8').matchAll(QUESTION)].map(([, question = '', query = ''], index) => {
    const views = [...new Set(query.match(/redial_\w+/g))];
    const took = fastest(() => db.prepare(query).all());
    const counted = views.reduce(
      (sum, view) => sum + fastest(() => db.prepare(`select count(*) from ${view}`).all()),
      0,
    );
    return {
      name: `question-${index + 1}`,
      value: took / counted,
      atMost: 5,
      unit: '',
      observed: `${question} (${took.toFixed(0)} ms) / counts of its views`,
    };
  });
}

function fastest(work: () => unknown): number {
  const times = Array.from({ length: TIMES }, () => {
    const begun = performance.now();
    work();
    return performance.now() - begun;
  });
  return Math.min(...times);
}
