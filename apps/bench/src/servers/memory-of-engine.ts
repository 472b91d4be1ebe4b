// A process of its own: the engine on the data folder that it gets does some work of each kind, and reports its memory afterwards.
import type { Redial } from '#lib/engine';
import { openCycleEngine } from '../fixtures/cycle-engine.js';
import { answerParent } from './serve-parent.js';

/** In bytes, once the read models are up to date, the work is done and the garbage collected. */
export interface MemoryOfEngine {
  readonly heapUsed: number;
  readonly rss: number;
}

const RUNS = 100;
const RUNS_AT_ONCE = 10;
const PAGE = 100;
const LONGEST_MS = 300_000;

answerParent(async (dataDir): Promise<MemoryOfEngine> => {
  const engine = await openCycleEngine(dataDir);
  const { redial, projections } = engine;
  await projections.caughtUpWithHead(LONGEST_MS);
  await work(redial);
  await projections.caughtUpWithHead(LONGEST_MS);
  await projections.status();
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  await engine.close();
  return { heapUsed, rss };
});

async function work(redial: Redial): Promise<void> {
  for (let run = 0; run < RUNS; run += RUNS_AT_ONCE)
    await Promise.all(Array.from({ length: RUNS_AT_ONCE }, () => runAndLook(redial)));
  for (const status of ['open', 'needs_human', 'done'] as const)
    await redial.listSessions({ status, limit: PAGE });
  await redial.listLlmCalls({ limit: PAGE });
  await redial.tickAll();
}

async function runAndLook(redial: Redial): Promise<void> {
  const { sessionId } = await redial.runSession({ machineName: 'cycle' });
  await redial.getSession({ sessionId });
  await redial.listSessionEvents({ sessionId });
  await redial.listProposals({ sessionId });
}
