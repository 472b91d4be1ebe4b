import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Redial } from '#lib/engine';
import type { Benchmark, Comparison } from '../comparison.js';
import { byProcessorTime } from '../fixtures/by-processor-time.js';
import { openCycleEngine } from '../fixtures/cycle-engine.js';
import { CYCLE_ROUNDS } from '../fixtures/cycle-machine.js';
import { EventStoreDbServer } from '../servers/eventstoredb-server.js';
import { PostgresServer } from '../servers/postgres-server.js';

/** The cost of a decision on servers beside one machine: the same engine in the same process on both. */
export const eventStoreDbDecision: Benchmark = {
  name: 'eventstoredb-decision',
  group: 'eventstoredb',
  async open(folder) {
    const [log, readModels] = await Promise.all([EventStoreDbServer.start(), PostgresServer.start()]);
    const embedded = await openCycleEngine(join(folder, 'embedded'));
    const distributed = await openCycleEngine(join(folder, 'distributed'), {
      eventStoreDbUrl: log.connectionString,
      databaseUrl: await readModels.emptyPlace(),
      streamPrefix: `bench_${randomUUID().slice(0, 8)}_`,
    });
    const comparison: Comparison = {
      name: 'eventstoredb-decision',
      compared: `rounds decided one after another on EventStoreDB (${log.name}) and PostgreSQL / on the embedded pair`,
      unit: 'rounds',
      goal: 1 / 3,
      unitsPerCall: CYCLE_ROUNDS,
      blocks: 30,
      callsPerBlock: 2,
      ours: () => decide(distributed.redial),
      bare: () => decide(embedded.redial),
    };
    return {
      comparisons: [comparison, { ...byProcessorTime(comparison), goal: 0.6 }],
      async close() {
        await distributed.close();
        await embedded.close();
        await readModels.stop();
        await log.stop();
      },
    };
  },
};

async function decide(redial: Redial): Promise<void> {
  const { sessionId } = await redial.createSession({ machineName: 'cycle' });
  for (let step = 0; step < 2 * CYCLE_ROUNDS; step += 1) await redial.tickSession({ sessionId });
  const session = await redial.getSession({ sessionId });
  if (session.currentState !== 'ended') throw new Error(`The session stopped in ${session.currentState}.`);
}
