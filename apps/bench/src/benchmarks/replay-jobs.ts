import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Benchmark, Observation } from '../comparison.js';
import { makeSessionLog } from '../fixtures/session-log.js';
import { median } from '../median.js';

const ROUNDS = 3;
const EVENTS_OF_SESSION = 1 + 7 * ROUNDS;
const [SHORT, LONG] = [30_000, 300_000];
const TIMES = 3;
const CLI = join(import.meta.dirname, '../../../../bin/redial.js');
/** The largest memory of a process, in kilobytes, once all its threads have ended. */
const SAYS_MEMORY = "process.on('exit', () => process.send?.(process.resourceUsage().maxRSS))";

/** A whole log verified by `redial replay --all`, in one and in two threads, and by two processes at once. */
export const replayJobs: Benchmark = {
  name: 'replay-jobs',
  onlyByName: true,
  async open(folder) {
    const [short, long] = [await makeLog(folder, SHORT), await makeLog(folder, LONG)];
    return { comparisons: [], observe: () => observe(short, long), close: () => Promise.resolve() };
  },
};

async function makeLog(parent: string, events: number): Promise<string> {
  const folder = join(parent, String(events));
  mkdirSync(folder);
  const sessions = Math.ceil(events / EVENTS_OF_SESSION);
  const { log } = await makeSessionLog(folder, { sessions, rounds: ROUNDS });
  await log.store.close();
  return folder;
}

interface Replayed {
  readonly ms: number;
  readonly kilobytes: number;
}

async function observe(short: string, long: string): Promise<readonly Observation[]> {
  const [one, two, both, brief]: [Replayed[], Replayed[], Replayed[], Replayed[]] = [[], [], [], []];
  for (let time = 0; time < TIMES; time++) {
    one.push(await replay(long, 1));
    two.push(await replay(long, 2));
    both.push(...(await Promise.all([replay(long, 1), replay(long, 1)])));
    brief.push(await replay(short, 2));
  }
  const ms = (found: readonly Replayed[]) => median(found.map((each) => each.ms));
  const kilobytes = (found: readonly Replayed[]) => median(found.map((each) => each.kilobytes));
  return [
    {
      name: 'replay-jobs-time',
      value: ms(two) / ms(one),
      atMost: 1 / 1.5,
      unit: '',
      observed: 'time with two threads, to that with one',
    },
    {
      name: 'replay-jobs-processes',
      value: (2 * ms(two)) / ms(both),
      atMost: 1 / 0.85,
      unit: '',
      observed: 'time with two threads, to half of that of two processes that replay it each',
    },
    {
      name: 'replay-jobs-event',
      value: (ms(one) * 1000) / LONG,
      atMost: 1000 / 30,
      unit: 'µs',
      observed: 'an event with one thread, start included',
    },
    {
      name: 'replay-jobs-memory',
      value: kilobytes(two) / kilobytes(brief),
      atMost: 1.5,
      unit: '',
      observed: 'most memory with two threads, to that for a tenth of the log',
    },
    {
      name: 'replay-jobs-megabytes',
      value: kilobytes(two) / 1000,
      unit: 'MB',
      observed: 'most memory with two threads',
    },
  ];
}

async function replay(folder: string, jobs: number): Promise<Replayed> {
  const begun = performance.now();
  const argv = ['--data-dir', folder, 'replay', '--all', '--jobs', String(jobs)];
  const child = spawn(
    process.execPath,
    [`--import=data:text/javascript,${encodeURIComponent(SAYS_MEMORY)}`, CLI, ...argv],
    {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    },
  );
  let kilobytes = 0;
  child.on('message', (said) => (kilobytes = Number(said)));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`A replay of ${folder} ended with ${code}.`);
  return { ms: performance.now() - begun, kilobytes };
}
