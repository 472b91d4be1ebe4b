import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { type SessionEvent, sessionViewAt } from '#lib/decisions/session';
import { histories } from '../testing/random-history.js';
import { id } from '../testing/sample-log.js';
import { TestParts } from '../testing/test-parts.js';
import { sessionsModel } from './sessions.read-model.js';
import { getSession, listSessions } from './sessions.queries.js';

it('shows every session as its events do', async () => {
  const property = fc.asyncProperty(histories(80), async (history) => {
    const parts = new TestParts();
    try {
      const { db } = await parts.project(history, [sessionsModel]);
      const sessionIds = [0, 1, 2].map((n) => id(`session-${n}`));
      const views = [];
      for (const sessionId of sessionIds) {
        const events = await parts.log.readStream<SessionEvent>(parts.log.streams.of('session', sessionId));
        const view = sessionViewAt(events);
        expect(await getSession(db, sessionId)).toEqual(view);
        if (view) views.push(view);
      }
      const listed = await listSessions(db);
      const summaries = views.map(({ machine: _, ...summary }) => summary);
      const newest = 'items' in listed ? listed.items : [];
      expect(newest.toSorted(byId)).toEqual(summaries.toSorted(byId));
    } finally {
      await parts.close();
    }
  });
  await fc.assert(property, { numRuns: 30 });
});

function byId(a: { sessionId: string }, b: { sessionId: string }): number {
  return a.sessionId < b.sessionId ? -1 : 1;
}
