import { setTimeout as delay } from 'node:timers/promises';
import type { Redial } from '#lib/engine';
import type { Benchmark } from '../comparison.js';
import { bareSession } from '../fixtures/bare-cycle.js';
import { openCycleEngine } from '../fixtures/cycle-engine.js';

const SESSIONS = 40;
const LOOK_MS = 2;

/** The same as `cycle-run`, by the always-on mode. */
export const cycleDrive: Benchmark = {
  name: 'cycle-drive',
  group: 'cycle',
  async open(folder) {
    const drive = { enabled: true, concurrency: SESSIONS, intervalMs: LOOK_MS };
    const engine = await openCycleEngine(folder, { drive });
    return {
      comparisons: [
        {
          name: 'cycle-drive',
          compared: `${SESSIONS} sessions created and brought to their goal by the always-on mode / the same functions, only called`,
          unit: 'sessions',
          unitsPerCall: SESSIONS,
          blocks: 12,
          callsPerBlock: 1,
          async ours() {
            const create = () => engine.redial.createSession({ machineName: 'cycle' });
            await Promise.all(Array.from({ length: SESSIONS }, create));
            await atRest(engine.redial);
          },
          async bare() {
            for (let session = 0; session < SESSIONS; session++) bareSession();
          },
        },
      ],
      close: () => engine.close(),
    };
  },
};

/** Rows hold the events of this process: once they show no open session, all are at rest. */
async function atRest(redial: Redial): Promise<void> {
  for (;;) {
    const { items } = await redial.listSessions({ status: 'open', limit: 1 });
    if (items.length === 0) return;
    await delay(LOOK_MS);
  }
}
