import { afterAll, beforeAll, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { isRejection, type Rejection } from '#lib/kernel';
import { alignmentTallies, alignmentUnder } from '../alignment/alignment.queries.js';
import { collapseMetrics } from '../collapse/collapse-metrics.js';
import { listDecisions } from '../decisions/decisions.queries.js';
import { accuracyOf } from '../decisions/accuracy-of.js';
import { chosenRounds } from '../decisions/chosen-rounds.js';
import { listExemplars } from '../exemplars/exemplars.read-model.js';
import { inboxItems, inboxRows } from '../inbox/inbox.queries.js';
import { asRows, listLlmCalls, listLlmCallsOfSession } from '../llm-calls/llm-calls.queries.js';
import { summarizeLlmCalls } from '../llm-statistics/summarize-llm-calls.js';
import { getMachine, listMachines } from '../machines/machines.read-model.js';
import type { Page, PageRequest } from '../store/page.js';
import { models } from '../models.js';
import { listProposals } from '../decisions/proposals.queries.js';
import { listSessionEvents } from '../session-events/session-events.read-model.js';
import { getSession, listSessions } from '../sessions/sessions.queries.js';
import { getSpecialist, listSpecialists, specialistsOfMachine } from '../specialists/specialists.queries.js';
import type { ReadStore } from '../store/read-store.js';
import { dumpRows } from '../testing/dump-rows.js';
import { postgresParts } from '../testing/postgres-parts.js';
import { PostgresServer } from '../testing/postgres-server.js';
import { histories } from '../testing/random-history.js';
import { describeRowsContract } from '../testing/rows.contract.js';
import { id } from '../testing/sample-log.js';
import { TestParts } from '../testing/test-parts.js';

let server: PostgresServer;
beforeAll(async () => {
  server = await PostgresServer.start();
});
afterAll(() => server.stop());

describeRowsContract('PostgreSQL', () => postgresParts(server), { batchRuns: 3, restartRuns: 1 });

/** All items; a rejection in place of a refused page. */
async function inPages<T>(
  list: (page: PageRequest) => Promise<Page<T> | Rejection>,
): Promise<readonly (T | Rejection)[]> {
  const items: (T | Rejection)[] = [];
  for (let page: PageRequest = { limit: 2 }; ;) {
    const got = await list(page);
    if (isRejection(got)) return [...items, got];
    items.push(...got.items);
    if (got.nextCursor === null) return items;
    page = { limit: 2, cursor: got.nextCursor };
  }
}

const price = { 'model-a': { inputPerMillion: 0.15, outputPerMillion: 0.6 } };
const prices = [
  { version: 'first', from: '2026-01-01T00:00:00Z', currency: 'USD', models: price },
  { version: 'second', from: '2026-01-01T00:00:20Z', currency: 'EUR', models: price },
];

/** All queries: for known subjects, unknown subjects and unusual names. */
async function allAnswers({ db }: ReadStore): Promise<object> {
  const sessionIds = ['session-0', 'session-1', 'no-session'].map(id);
  const ofSessions = sessionIds.map(async (sessionId) => [
    await getSession(db, sessionId),
    await inPages((page) => listProposals(db, { sessionId }, page)),
    await inPages((page) => listSessionEvents(db, { sessionId }, page, (found) => found)),
    await inPages((page) => listLlmCallsOfSession(db, sessionId, page, asRows)),
  ]);
  return Promise.all([
    ...ofSessions,
    inPages((page) => listSessions(db, {}, page)),
    inPages((page) => listSessions(db, { currentState: 'odd \ud800\0 name' }, page)),
    inPages((page) => listSessions(db, { machineName: 'a\0b', status: 'open' }, page)),
    inPages((page) => listMachines(db, page)),
    getMachine(db, 'review', 1),
    getMachine(db, 'review'),
    inPages((page) => listSpecialists(db, {}, page)),
    inPages((page) => listLlmCalls(db, { outcome: 'failed', from: '2026-01-01T00:00:05Z' }, page, asRows)),
    inPages((page) => listLlmCalls(db, {}, page, asRows)),
    summarizeLlmCalls(db),
    summarizeLlmCalls(db, { by: 'day', prices, from: '2026-01-01T00:00:03Z', machineName: 'review' }),
    summarizeLlmCalls(db, { prices, priceVersion: 'first' }),
    inboxRows(db, {}, undefined, 50).then((rows) => inboxItems(db, rows)),
    inPages((page) => listDecisions(db, {}, page)),
    inPages((page) => listDecisions(db, { how: 'consensus', machineName: 'review' }, page)),
    inPages((page) => listExemplars(db, { machineName: 'review' }, page)),
    inPages((page) => listExemplars(db, { machineName: 'review', state: 'odd \ud800\0 name' }, page)),
    alignmentTallies(db, { machineName: 'review', state: 'odd \ud800\0 name' }),
    alignmentUnder(db, { machineName: 'review', rule: { name: 'wilson' } }),
    alignmentUnder(db, { machineName: 'review', rule: { name: 'ratio', halfLife: 3 } }),
    collapseMetrics(db, 'review'),
    specialistsOfMachine(db, 'review'),
    getSpecialist(db, { specialistId: 'specialist-1' }),
    accuracyOf(db, { specialistId: 'specialist-1' }, { lookback: 5 }),
    accuracyOf(db, { specialistId: 'specialist-2' }, { lookback: 50, machineName: 'review' }),
    chosenRounds(db, { machineName: 'review', decidedBy: 'people' }, 2),
    chosenRounds(db, { machineName: 'review' }, 2),
  ]);
}

it('has the rows and gives the answers that SQLite has and gives', async () => {
  const property = fc.asyncProperty(histories(80), async (history) => {
    const here = new TestParts();
    const there = postgresParts(server);
    try {
      const [sqlite, postgres] = [await here.project(history), await there.project(history)];
      // Each log has an id of its own, with which its positions begin.
      const logIds = new RegExp(`${here.log.store.logId}|${there.log.store.logId}`, 'g');
      const comparable = (value: unknown): unknown =>
        JSON.parse(JSON.stringify(value).replaceAll(logIds, 'log'));
      expect(comparable(await dumpRows(postgres, models))).toEqual(
        comparable(await dumpRows(sqlite, models)),
      );
      expect(comparable(await allAnswers(postgres))).toEqual(comparable(await allAnswers(sqlite)));
    } finally {
      await here.close();
      await there.close();
    }
  });
  await fc.assert(property, { numRuns: 4 });
});
