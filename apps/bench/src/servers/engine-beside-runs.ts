// A process of its own: the engine starts on the data folder that it gets, makes decisions, and reports their cost.
import { openCycleEngine } from '../fixtures/cycle-engine.js';
import { question } from '../fixtures/waiting-runs.js';
import { median } from '../median.js';
import { answerParent } from './serve-parent.js';

/** In milliseconds and bytes. */
export interface BesideRuns {
  /** Processor time of all threads of the process until the first page of runs. */
  readonly start: number;
  /** The middle processor time of a session that is decided to its end. */
  readonly decision: number;
  readonly heapUsed: number;
}

const DECISIONS = 100;
const LONGEST_MS = 600_000;

answerParent(async (dataDir): Promise<BesideRuns> => {
  const begun = processorTime();
  const engine = await openCycleEngine(dataDir, { workflows: [question] });
  const { redial, projections } = engine;
  await redial.listRuns({ status: 'waiting' });
  const start = processorTime() - begun;
  await projections.caughtUpWithHead(LONGEST_MS);
  const decisions: number[] = [];
  while (decisions.length < DECISIONS) {
    const before = processorTime();
    await redial.runSession({ machineName: 'cycle' });
    decisions.push(processorTime() - before);
  }
  globalThis.gc?.();
  const { heapUsed } = process.memoryUsage();
  await engine.close();
  return { start, decision: median(decisions), heapUsed };
});

function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
