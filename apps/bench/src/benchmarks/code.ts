import type { Benchmark, Observation } from '../comparison.js';
import { openCodeEngine } from '../fixtures/code-engine.js';
import type { CycleEngine } from '../fixtures/cycle-engine.js';
import { heapInUse } from '../heap-in-use.js';
import { median } from '../median.js';
import { quantile } from '../quantile.js';

const ITERATIONS = 50;
const CALLS = 50;
const REPEATED = 5;
const PAUSED = 1_000;
const ASKED = 100;
/** Calls in sequence of one program; 200 are the most. */
const CALLS_IN_SEQUENCE = [10, 50, 100, 200];
const WAIT_MS = 60_000;

const programs = {
  plain: 'return { action: "done", value: "1" };',
  failing: 'throw new Error("again");',
  together: `await Promise.all(Array.from({ length: ${CALLS} }, () => look())); return { action: "done", value: "1" };`,
  approved:
    'const kept = { when: new Date() }; await pay(); return { action: "done", value: String(kept.when) };',
  endless: 'for (;;);',
};

/** The time of an iteration and of a call of a tool, the model's time included. */
export const codeOverhead: Benchmark = benchmark('code-overhead', observeOverhead);

/** The cost of a run of many calls in sequence, each slice of which runs its program from the beginning, and of its replay. */
export const codeCalls: Benchmark = benchmark('code-calls', observeCalls);

/** Runs of code that wait for a person: their memory, and their continuation in random order. */
export const codePaused: Benchmark = benchmark('code-paused', observePaused);

/** The wait of other work beside programs that run to their limits. */
export const codeBeside: Benchmark = benchmark('code-beside', observeBeside);

function benchmark(
  name: string,
  observe: (engine: CycleEngine) => Promise<readonly Observation[]>,
): Benchmark {
  return {
    name,
    group: 'code',
    onlyByName: true,
    async open(folder) {
      const engine = await openCodeEngine(folder);
      return { comparisons: [], observe: () => observe(engine), close: () => engine.close() };
    },
  };
}

async function observeOverhead(engine: CycleEngine): Promise<readonly Observation[]> {
  const run = (instructions: string) => timed(engine, { instructions, tools: ['look'], loop: ITERATIONS });
  await run(programs.plain);
  const plain = await run(programs.plain);
  const iteration = (await run(programs.failing)) / ITERATIONS;
  const per = async (instructions: string) => ((await run(instructions)) - plain) / CALLS;
  return [
    { name: 'code-run', value: plain, atMost: 60, unit: 'ms', observed: 'a run of one program' },
    {
      name: 'code-iteration',
      value: iteration,
      atMost: 30,
      unit: 'ms',
      observed: `one of ${ITERATIONS} iterations`,
    },
    {
      name: 'code-call-together',
      value: await per(programs.together),
      atMost: 10,
      unit: 'ms',
      observed: `one of ${CALLS} calls at once`,
    },
  ];
}

async function observeCalls(engine: CycleEngine): Promise<readonly Observation[]> {
  const observations: Observation[] = [];
  await sequence(engine, 1);
  for (const calls of CALLS_IN_SEQUENCE) {
    const start = performance.now();
    const { runId } = await sequence(engine, calls);
    await untilStatus(engine, runId, 'completed');
    const ran = performance.now();
    const replay = await engine.redial.replayRun({ runId });
    const replayed = performance.now() - ran;
    const { recomputed, notRecomputed, identical } = replay;
    if (!identical) throw new Error(`The run of ${calls} calls does not replay.`);
    const name = `code-calls-${calls}`;
    const slices = `${recomputed} slices computed again, ${notRecomputed} not in time`;
    observations.push(
      { name, value: (ran - start) / calls, unit: 'ms', observed: `one of ${calls} calls in sequence` },
      { name: `${name}-replay`, value: replayed, unit: 'ms', observed: `its replay: ${slices}` },
    );
  }
  return observations;
}

function sequence(engine: CycleEngine, calls: number) {
  const instructions = `for (let n = 0; n < ${calls}; n++) await look(); return { action: "done", value: "1" };`;
  return started(engine, { instructions, tools: ['look'] }, WAIT_MS);
}

type CodeRun = {
  readonly instructions: string;
  readonly tools: string[];
  readonly loop?: number;
  readonly limits?: { readonly ticks: number; readonly timeMs: number };
};

function started({ redial }: CycleEngine, input: CodeRun, waitMs = 0) {
  return redial.startRun({ workflow: 'code', input: { model: 'gpt-4o-mini', ...input }, waitMs });
}

/** The middle of some runs. */
async function timed(engine: CycleEngine, input: CodeRun): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < REPEATED; n++) {
    const start = performance.now();
    await started(engine, input, WAIT_MS);
    times.push(performance.now() - start);
  }
  return median(times);
}

/** As many again wait after the first half: then the engine's memory of recent streams is full. */
async function observePaused(engine: CycleEngine): Promise<readonly Observation[]> {
  const half = PAUSED / 2;
  const first = await paused(engine, half);
  const before = heapInUse();
  const second = await paused(engine, PAUSED - half);
  const kept = (heapInUse() - before) / (PAUSED - half) / 1000;
  const runIds = shuffled([...first, ...second]);
  const start = performance.now();
  await inGroups(runIds, 20, async (runId) => {
    await engine.redial.signalRun({ runId, name: 'approval', payload: { approved: true } });
  });
  await inGroups(runIds, 20, (runId) => untilStatus(engine, runId, 'completed'));
  const seconds = (performance.now() - start) / 1000;
  return [
    {
      name: 'code-paused-kB',
      value: kept,
      atMost: 1,
      unit: 'kB',
      observed: `heap of one of ${PAUSED - half} runs that wait`,
    },
    {
      name: 'code-resumed',
      value: PAUSED / seconds,
      unit: 'runs/s',
      observed: `${PAUSED} runs that waited, in random order`,
    },
  ];
}

async function paused(engine: CycleEngine, count: number): Promise<readonly string[]> {
  const runIds: string[] = [];
  await inGroups(Array.from({ length: count }), 20, async () => {
    const { runId } = await started(engine, { instructions: programs.approved, tools: ['pay'] }, WAIT_MS);
    runIds.push(runId);
  });
  await inGroups(runIds, 20, (runId) => untilStatus(engine, runId, 'waiting'));
  return runIds;
}

async function untilStatus({ redial, log }: CycleEngine, runId: string, wanted: string): Promise<void> {
  for (let tries = 0; tries < 10_000; tries++) {
    const head = await log.store.head();
    const { status } = await redial.getRun({ runId, ...(head !== undefined && { minPosition: head }) });
    if (status === wanted) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`run ${runId} is not ${wanted}`);
}

async function observeBeside(engine: CycleEngine): Promise<readonly Observation[]> {
  const limits = { ticks: 1_000_000, timeMs: 20_000 };
  const { runId } = await started(engine, { instructions: programs.endless, tools: [], loop: 1, limits });
  const other = await started(engine, { instructions: programs.endless, tools: [], loop: 1, limits });
  const waits: number[] = [];
  for (let n = 0; n < ASKED; n++) {
    const start = performance.now();
    await engine.redial.getRun({ runId: n % 2 === 0 ? runId : other.runId });
    waits.push(performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  for (const one of [runId, other.runId]) await engine.redial.cancelRun({ runId: one });
  const observed = `of ${ASKED} requests beside two programs that never end`;
  return [
    {
      name: 'code-beside-median',
      value: median(waits),
      atMost: 20,
      unit: 'ms',
      observed: `the middle ${observed}`,
    },
    {
      name: 'code-beside-99',
      value: quantile(waits, 0.99),
      atMost: 100,
      unit: 'ms',
      observed: `the 99th ${observed}`,
    },
  ];
}

async function inGroups<One>(
  all: readonly One[],
  size: number,
  work: (one: One) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < all.length; at += size) await Promise.all(all.slice(at, at + size).map(work));
}

function shuffled<One>(all: readonly One[]): readonly One[] {
  return all
    .map((one) => ({ one, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one);
}
