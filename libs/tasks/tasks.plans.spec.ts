import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CompiledQuery, type KyselyPlugin, type RootOperationNode } from 'kysely';
import { recordedCalls } from '#lib/call-rules';
import { peopleModel } from '#lib/people/core';
import { models, type ReadStore } from '#lib/read-models';
import { id, openLog, type PlacedEvent, sessionCreated, TestParts, timeOf } from '#lib/read-models/testing';
import { runsModel } from '#lib/runs/runs/core';
import { dueTimesEventDefinitions } from './due-times/due-times.events.js';
import { dueTimesRequests } from './due-times/due-times-requests.js';
import { taskEventDefinitions } from './task.events.js';
import { countTasks, pageOfTasks, TASK_SORTS, type TaskFilter } from './tasks.queries.js';
import { tasksModel } from './tasks.read-model.js';

const OPEN = ['open', 'claimed'] as const;
const AT = timeOf(9_000);

/** How the store reads the tasks in the statements of a query. */
describe('the plan of a query of tasks', () => {
  let parts: TestParts;
  let store: ReadStore;
  beforeEach(async () => {
    parts = new TestParts(openLog(undefined, [taskEventDefinitions, dueTimesEventDefinitions]));
    const waiting = [id('one'), id('two')].flatMap((sessionId): PlacedEvent[] => {
      const wait = { roundId: 'r1', reason: 'no-proposals', detail: 'none' } as const;
      const placed = { category: 'session', id: sessionId } as const;
      return [
        { ...placed, event: sessionCreated(sessionId) },
        { ...placed, event: { type: 'HumanInputRequested', data: wait } },
      ];
    });
    const all = [...models, runsModel(recordedCalls, [dueTimesRequests]), peopleModel, tasksModel];
    store = await parts.project(waiting, all);
  });
  afterEach(() => parts.close());

  async function plansOf(query: (db: ReadStore['db']) => Promise<unknown>): Promise<readonly string[]> {
    const { db } = store;
    const nodes: RootOperationNode[] = [];
    const noting: KyselyPlugin = {
      transformQuery: ({ node }) => {
        nodes.push(node);
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    await query(db.withPlugin(noting));
    const plans = nodes.map(async (node) => {
      const { sql, parameters } = db.getExecutor().compileQuery(node, { queryId: 'plan' });
      const explained = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]);
      return (await db.executeQuery<{ readonly detail: string }>(explained)).rows;
    });
    const details = (await Promise.all(plans)).flat().map(({ detail }) => detail);
    return details.filter((detail) => /\btasks_|B-TREE/.test(detail));
  }

  const pageOf = (filter: Omit<TaskFilter, 'statuses'>, sort: (typeof TASK_SORTS)[number]) =>
    plansOf((db) =>
      pageOfTasks(db, { statuses: OPEN, ...filter }, { at: AT, sort }, { limit: 100 }, async (task) => task),
    );

  it.each(TASK_SORTS)(
    'a page sorted by %s is read by the index of its order: nothing is sorted',
    async (sort) => {
      const plans = await pageOf({}, sort);
      expect(plans[0]).toContain(`_by_status_by_${sort} (status=?`);
      expect(plans.filter((plan) => plan.startsWith('SCAN') || plan.includes('B-TREE'))).toEqual([]);
    },
  );

  const ofOneOwner = [
    ['of a session', { sessionId: id('one') }, 'session_id'],
    ['of a run', { runId: id('one') }, 'run_id'],
    ['of a conversation', { conversationId: id('one') }, 'conversation_id'],
    ['of what has a key', { key: 'case-1' }, 'root_id'],
  ] as const;

  it.each(ofOneOwner.flatMap((one) => TASK_SORTS.map((sort) => [...one, sort] as const)))(
    'a page of tasks %s is led to by an index of its own, not by that of all open tasks: %j %s, sorted by %s',
    async (_, filter, column, sort) => {
      const [first = ''] = await pageOf(filter, sort);
      expect(first).toMatch(new RegExp(`_by_${column}_\\w+ \\(${column}=\\?`));
    },
  );

  it.each([
    ['overdue', { overdue: true }],
    ['assigned', { assignee: 'ann' }],
    ['claimed', { claimedBy: 'ann' }],
    ['answered by a person', { candidate: 'ann' }],
  ])('a page of tasks %s scans no table', async (_, filter) => {
    const plans = await pageOf(filter, 'due');
    expect(plans.length).toBeGreaterThan(0);
    expect(plans.filter((plan) => plan.startsWith('SCAN'))).toEqual([]);
  });

  it.each(TASK_SORTS)(
    'a page of tasks of a machine, sorted by %s, is read by its index alone: nothing is sorted',
    async (sort) => {
      const plans = await pageOf({ machineName: 'review' }, sort);
      expect(plans[0]).toContain(`_by_machine_name_status_by_${sort} (machine_name=? AND status=?`);
      expect(plans.filter((plan) => plan.startsWith('SCAN') || plan.includes('B-TREE'))).toEqual([]);
    },
  );

  it('the counts scan no table, and sort nothing', async () => {
    const plans = await plansOf((db) => countTasks(db, 'ann', AT));
    expect(plans.length).toBeGreaterThan(4);
    expect(plans.filter((plan) => plan.startsWith('SCAN') || plan.includes('B-TREE'))).toEqual([]);
  });
});
