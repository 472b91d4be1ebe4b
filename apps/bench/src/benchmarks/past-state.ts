import { fold } from '#lib/kernel';
import { sessionDecider, type SessionEvent } from '#lib/decisions/session';
import type { Benchmark } from '../comparison.js';
import { openCycleEngine } from '../fixtures/cycle-engine.js';
import { makeSessionLog } from '../fixtures/session-log.js';

const EVENTS = 5_000;
const EVENTS_OF_ROUND = 3;
const ROUNDS = Math.ceil((EVENTS - 1) / EVENTS_OF_ROUND);
const REVISION = EVENTS - 1;

/** The state of a long session at a revision, beside the fold of the same events. */
export const pastState: Benchmark = {
  name: 'past-state',
  async open(folder) {
    const { log, sessionIds } = await makeSessionLog(folder, { sessions: 1, rounds: ROUNDS });
    const [sessionId = ''] = sessionIds;
    const stream = log.streams.of('session', sessionId);
    const engine = await openCycleEngine(folder);
    return {
      comparisons: [
        {
          name: 'past-state',
          compared: `the state at a revision of a session of ${EVENTS} events / the same events read and folded`,
          unit: 'states',
          goal: 0.5,
          unitsPerCall: 1,
          blocks: 20,
          callsPerBlock: 3,
          async ours() {
            const { history } = await engine.redial.getSessionAt({ sessionId, revision: REVISION });
            if (history.length === 0) throw new Error(`The session ${sessionId} has no history.`);
          },
          async bare() {
            const events = await log.readStream<SessionEvent>(stream);
            fold(sessionDecider, events.slice(0, EVENTS));
          },
        },
      ],
      async close() {
        await engine.close();
        await log.store.close();
      },
    };
  },
};
