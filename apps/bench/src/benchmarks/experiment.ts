import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redial } from '#lib/engine';
import type { Benchmark, Observation } from '../comparison.js';
import { openCycleEngine } from '../fixtures/cycle-engine.js';
import { arbitratedTimes, roundsMachine } from '../fixtures/decided-rounds.js';
import { BENCH_KEY } from '../fixtures/decision-engine.js';
import { CHOSEN } from '../fixtures/decision-machine.js';
import { fillLog } from '../fixtures/fill-log.js';
import { HttpLoad } from '../fixtures/http-load.js';
import { heapInUse } from '../heap-in-use.js';
import { quantile } from '../quantile.js';
import { ServerProcess } from '../servers/server-process.js';

const POINTS = 10_000;
const ROUNDS_OF_SESSION = 10;
const AT_ONCE = 32;
const PROPOSALS = 2_000;
const READS = 500;
const PAUSE_MS = 20;
const LONGEST_MS = 600_000;
/** Each time all garbage is collected, which takes about 0.1 s. */
const HEAP_EVERY_MS = 4_000;
const MIB = 1024 * 1024;

/** An experiment of one variant, with a model that answers at once. */
export const experiment: Benchmark = {
  name: 'experiment',
  onlyByName: true,
  async open(folder) {
    const model = await ServerProcess.start('./model-server.js', CHOSEN);
    const dataDir = join(folder, 'engine');
    await mkdir(dataDir);
    await fillLog(dataDir, POINTS / ROUNDS_OF_SESSION, arbitratedTimes(ROUNDS_OF_SESSION));
    return {
      comparisons: [],
      observe: async () => [
        ...(await besideProposals(dataDir, model.url)),
        ...(await besideReads(dataDir, model.url)),
      ],
      close: () => model.stop(),
    };
  },
};

function question(max: number) {
  const points = { machineName: roundsMachine.machineName, max };
  return { points, variants: [{ name: 'now', specialistId: 'clerk' }], concurrency: AT_ONCE };
}

/**
 * The rate of the experiment beside that of proposals of the same model, half of them before and half after; and the memory while it runs.
 */
async function besideProposals(dataDir: string, modelUrl: string): Promise<readonly Observation[]> {
  const engine = await openCycleEngine(dataDir, { llm: { apiKey: BENCH_KEY, baseUrl: modelUrl } });
  const { redial, projections } = engine;
  await redial.defineMachine(roundsMachine);
  await projections.caughtUpWithHead(LONGEST_MS);
  await proposals(redial);
  const before = await proposals(redial);
  const { asksPerSecond, heaps } = await experimented(redial);
  const after = await proposals(redial);
  await engine.close();
  const proposalsPerSecond = (before + after) / 2;
  const tenth = Math.max(1, Math.floor(heaps.length / 10));
  const [early, late] = [Math.min(...heaps.slice(tenth, 3 * tenth)), Math.min(...heaps.slice(-2 * tenth))];
  return [
    observation('asks', asksPerSecond, '/s', `asks of an experiment of ${POINTS} points, ${AT_ONCE} at once`),
    observation('proposals', proposalsPerSecond, '/s', `proposals, ${AT_ONCE} at once`),
    {
      ...observation('slower', proposalsPerSecond / asksPerSecond, 'times', 'proposals to asks'),
      atMost: 1 / 0.8,
    },
    observation('heap', late / MIB, 'MiB', 'least heap in use in the last fifth of it'),
    {
      ...observation('heap-grows', late / early, 'times', 'the same, to its second and third tenth'),
      atMost: 1.5,
    },
  ];
}

/** @returns proposals a second */
async function proposals(redial: Redial): Promise<number> {
  const sessionIds: string[] = [];
  while (sessionIds.length < PROPOSALS)
    sessionIds.push((await redial.createSession({ machineName: roundsMachine.machineName })).sessionId);
  const start = performance.now();
  const work = async () => {
    for (let sessionId = sessionIds.pop(); sessionId !== undefined; sessionId = sessionIds.pop())
      await redial.submitProposal({ sessionId, specialistId: 'clerk' }, { idempotencyKey: randomUUID() });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return (PROPOSALS / (performance.now() - start)) * 1_000;
}

/** The time for collecting garbage to measure the heap is not counted as time of the experiment. */
async function experimented(redial: Redial) {
  const heaps: number[] = [];
  let measuring = 0;
  const start = performance.now();
  await redial.startExperiment(question(POINTS));
  for (;;) {
    const { items } = await redial.listExperiments({ limit: 1 });
    if (items[0]?.status !== 'running') break;
    const asked = performance.now();
    if (asked - start > heaps.length * HEAP_EVERY_MS) {
      heaps.push(heapInUse());
      measuring += performance.now() - asked;
    }
    await delay(100);
  }
  return { asksPerSecond: (POINTS / (performance.now() - start - measuring)) * 1_000, heaps };
}

/** Reads of a session from a server that is idle, then from the same one while an experiment runs. */
async function besideReads(dataDir: string, modelUrl: string): Promise<readonly Observation[]> {
  const settings = { REDIAL_DATA_DIR: dataDir, OPENAI_API_KEY: BENCH_KEY, OPENAI_BASE_URL: modelUrl };
  const server = await ServerProcess.start('./redial-server.js', JSON.stringify(settings));
  const load = new HttpLoad(1);
  const list = JSON.parse(await load.body(`${server.url}/v1/sessions?limit=1`)) as {
    readonly items: readonly { readonly sessionId: string }[];
  };
  const url = `${server.url}/v1/sessions/${list.items[0]?.sessionId ?? ''}`;
  await times(load, url);
  const idle = quantile(await times(load, url), 0.99);
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() };
  const body = JSON.stringify(question(POINTS));
  const answer = await fetch(`${server.url}/v1/experiments`, { method: 'POST', headers, body });
  if (answer.status !== 201) throw new Error(`The experiment was answered ${answer.status}.`);
  const beside = quantile(await times(load, url), 0.99);
  const { items } = JSON.parse(await load.body(`${server.url}/v1/experiments?limit=1`)) as {
    readonly items: readonly { readonly status: string }[];
  };
  if (items[0]?.status !== 'running') throw new Error('The experiment ended before the reads.');
  load.close();
  await server.stop();
  return [
    observation('read-idle', idle, 'ms', 'GET of a session, p99, idle'),
    observation('read-beside', beside, 'ms', 'the same beside an experiment'),
    { ...observation('read-slower', beside / idle, 'times', 'the second to the first'), atMost: 5 },
  ];
}

async function times(load: HttpLoad, url: string): Promise<readonly number[]> {
  const taken: number[] = [];
  while (taken.length < READS) {
    const start = performance.now();
    await load.body(url);
    taken.push(performance.now() - start);
    await delay(PAUSE_MS);
  }
  return taken;
}

function observation(name: string, value: number, unit: string, observed: string): Observation {
  return { name: `experiment-${name}`, value, unit, observed };
}
