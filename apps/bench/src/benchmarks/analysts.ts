import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { Database } from '#lib/event-store-sqlite';
import type { Benchmark, Comparison, Observation } from '../comparison.js';
import { type CycleEngine, openCycleEngine } from '../fixtures/cycle-engine.js';
import { makeCopiedLog } from '../fixtures/copied-log.js';
import { makeSessionLog } from '../fixtures/session-log.js';

const DECISIONS = 10_000;
const ROUNDS = 2;
const MILLION = 1_000_000;
const MADE = { sessions: 200, rounds: 50, by: 'operator' } as const;
const LOOK_MS = 20;
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
      comparisons: (['csv', 'jsonl'] as const).map((format) =>
        comparison(engine, db, file, format, DECISIONS),
      ),
      observe: async () => questions(db),
      close: async () => {
        db.close();
        await engine.close();
      },
    };
  },
};

/** Exports of a million decisions, made by copying those of an operator under other ids. */
export const manyDecisions: Benchmark = {
  name: 'analysts-million',
  onlyByName: true,
  async open(folder) {
    await makeCopiedLog(folder, MILLION + MILLION / MADE.rounds, MADE);
    const engine = await openCycleEngine(folder, { readOnly: true, drive: { enabled: false } });
    await engine.projections.caughtUpWithHead(LONGEST_MS);
    await delay(VIEWS_MS);
    const db = new Database(join(folder, 'read.sqlite'), { readonly: true });
    const decisions = Number(db.prepare('select count(*) from redial_decisions').pluck().get());
    const file = join(folder, 'export');
    return {
      comparisons: (['csv', 'jsonl'] as const).map((format) => ({
        ...comparison(engine, db, file, format, decisions),
        blocks: 2,
      })),
      observe: async () => [await memoryOf(() => exported(engine, file, 'jsonl'))],
      close: async () => {
        db.close();
        await engine.close();
      },
    };
  },
};

/** The memory that the process has during the work, beyond that at the beginning. */
async function memoryOf(work: () => Promise<void>): Promise<Observation> {
  const before = process.memoryUsage().rss;
  let most = before;
  const look = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), LOOK_MS);
  await work();
  clearInterval(look);
  const value = (most - before) / 1_000_000;
  return { name: 'export-memory', value, atMost: 64, unit: 'MB', observed: 'more during one export' };
}

async function exported({ redial }: CycleEngine, file: string, format: 'csv' | 'jsonl'): Promise<void> {
  const lines = await redial.exportDataset({ dataset: 'decisions', format });
  await pipeline(Readable.from(lines), createWriteStream(file));
}

type ReadOnly = InstanceType<typeof Database>;

function comparison(
  engine: CycleEngine,
  db: ReadOnly,
  file: string,
  format: 'csv' | 'jsonl',
  decisions: number,
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
    unitsPerCall: decisions,
    blocks: 5,
    callsPerBlock: 1,
    ours: () => exported(engine, file, format),
    bare: async () => {
      const lines = function* () {
        for (const row of select.iterate()) yield text(row as object);
      };
      await pipeline(Readable.from(lines()), createWriteStream(file));
    },
  };
}

/** The processor time of each question, as a multiple of that of the counts of its views. */
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
    const begun = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}
