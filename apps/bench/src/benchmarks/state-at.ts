import { sessionAt } from '#lib/decisions/driving/core';
import { sessionDecider, type SessionEvent } from '#lib/decisions/session';
import { fold, isRejection } from '#lib/kernel';
import type { Benchmark } from '../comparison.js';
import { makeSessionLog } from '../fixtures/session-log.js';

const EVENTS = 5000;

/** A long session as it was at its last revision. */
export const stateAt: Benchmark = {
  name: 'state-at',
  async open(folder) {
    const { log, sessionIds } = await makeSessionLog(folder, {
      sessions: 1,
      rounds: EVENTS - 1,
      by: 'operator',
    });
    const [sessionId = ''] = sessionIds;
    return {
      comparisons: [
        {
          name: 'state-at',
          compared: `the state at a revision of a session of ${EVENTS} events / its events read and folded`,
          unit: 'events',
          goal: 0.5,
          byProcessorTime: true,
          unitsPerCall: EVENTS,
          blocks: 20,
          callsPerBlock: 1,
          async ours() {
            const view = await sessionAt(log, sessionId, EVENTS - 1);
            if (isRejection(view)) throw new Error(`There is no revision ${EVENTS - 1}.`);
          },
          async bare() {
            fold(sessionDecider, await log.readStream<SessionEvent>(log.streams.of('session', sessionId)));
          },
        },
      ],
      close: () => log.store.close(),
    };
  },
};
