import { fold } from '#lib/kernel';
import { sessionDecider, type SessionEvent } from '#lib/decisions/session';
import type { Benchmark } from '../comparison.js';
import { bareConnection } from '../fixtures/bare-connection.js';
import { makeSessionLog } from '../fixtures/session-log.js';

const SESSIONS = 40;
/** 1 + 33 × 3 events. */
const ROUNDS = 33;
const EVENTS = 100;

/** The first step of every command: reading and folding the session. */
export const loadAndFold100: Benchmark = {
  name: 'load-and-fold-100',
  async open(folder) {
    const { file, log, sessionIds } = await makeSessionLog(folder, { sessions: SESSIONS, rounds: ROUNDS });
    const streams = sessionIds.map((sessionId) => log.streams.of('session', sessionId));
    const db = bareConnection(file, 'FULL');
    const select = db.prepare<[string], { data: string; metadata: string }>(
      'SELECT position, revision, event_id, type, data, metadata FROM events WHERE stream = (SELECT id FROM streams WHERE name = ?) ORDER BY revision',
    );
    return {
      comparisons: [
        {
          name: 'load-and-fold-100',
          compared:
            'sessions of 100 events read, decoded and folded / SELECT and JSON.parse of the same rows',
          unit: 'sessions',
          unitsPerCall: SESSIONS,
          blocks: 20,
          callsPerBlock: 1,
          async ours() {
            for (const stream of streams) {
              const events = await log.readStream<SessionEvent>(stream);
              if (fold(sessionDecider, events)?.rounds.length !== ROUNDS + 1) throw wrong(stream);
            }
          },
          async bare() {
            for (const stream of streams) {
              const rows = select.all(stream);
              const events = rows.map(({ data, metadata }): unknown => [
                JSON.parse(data),
                JSON.parse(metadata),
              ]);
              if (events.length !== EVENTS) throw wrong(stream);
            }
          },
        },
      ],
      async close() {
        db.close();
        await log.store.close();
      },
    };
  },
};

function wrong(stream: string): Error {
  return new Error(`The stream ${stream} does not hold the session it should.`);
}
