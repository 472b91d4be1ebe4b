import type { EventLog } from '#lib/event-store';
import { verifySession } from '#lib/decisions/driving/core';
import type { SessionEvent } from '#lib/decisions/session';
import type { Benchmark } from '../comparison.js';
import { makeSessionLog } from '../fixtures/session-log.js';

const SESSIONS = 60;
const ROUNDS = 3;

/** Sessions verified whole, with their solicitations. */
export const replay: Benchmark = {
  name: 'replay',
  async open(folder) {
    const { log, sessionIds, events } = await makeSessionLog(folder, { sessions: SESSIONS, rounds: ROUNDS });
    return {
      comparisons: [
        {
          name: 'replay',
          compared: 'sessions of 22 events with their solicitations verified / only read and decoded',
          unit: 'events',
          unitsPerCall: events,
          blocks: 20,
          callsPerBlock: 1,
          async ours() {
            for (const sessionId of sessionIds) {
              const report = await verifySession(log, sessionId);
              if (report?.identical !== true) throw new Error(`Session ${sessionId} has diverged.`);
            }
          },
          async bare() {
            for (const sessionId of sessionIds) await readWhole(log, sessionId);
          },
        },
      ],
      close: () => log.store.close(),
    };
  },
};

async function readWhole(log: EventLog, sessionId: string): Promise<void> {
  const events = await log.readStream<SessionEvent>(log.streams.of('session', sessionId));
  for (const { type, data } of events) {
    if (type !== 'ProposalSolicited') continue;
    await log.readStream(log.streams.of('solicitation', data.solicitationId));
  }
}
