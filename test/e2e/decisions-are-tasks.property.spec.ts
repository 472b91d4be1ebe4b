import { afterAll, beforeAll, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { startEngine, type TestEngine } from '../support/engine.js';

const PEOPLE: { readonly [personId: string]: readonly string[] } = {
  ann: ['buyers'],
  bob: ['buyers', 'heads'],
  cy: [],
};
const person = fc.constantFrom(...Object.keys(PEOPLE));
const some = (...all: string[]) => fc.option(fc.subarray(all, { minLength: 1 }), { nil: undefined });
const policy = fc
  .record({
    groups: some('buyers', 'heads'),
    people: some('ann', 'cy'),
    exclude: some('creator', 'proposers', 'bob'),
    priority: fc.option(fc.integer({ min: 1, max: 99 }), { nil: undefined }),
    dueIn: fc.option(fc.constantFrom('PT1H', 'P1D'), { nil: undefined }),
  })
  .map((given) => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)));
const sessions = fc.record({
  people: policy,
  creator: person,
  proposers: fc.uniqueArray(person, { maxLength: 2 }),
  forks: fc.array(fc.record({ by: person, people: fc.option(policy, { nil: undefined }) }), { maxLength: 2 }),
});

const machine = (people: object) => ({
  machineName: 'desk',
  initialState: 'asked',
  goalState: 'paid',
  states: {
    asked: { transitions: { pay: { target: 'paid', needsPerson: true as const }, drop: 'dropped' }, people },
    paid: {},
    dropped: {},
  },
  specialists: [
    { role: 'proposer', specialistId: 'clerk0', strategyFnName: 'firstAvailable' },
    { role: 'proposer', specialistId: 'clerk1', strategyFnName: 'firstAvailable' },
    { role: 'proposer', specialistId: 'chair', isHuman: true, personId: 'cy' },
  ],
});

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine([], {});
  for (const [personId, groups] of Object.entries(PEOPLE))
    await engine.redial.registerPerson({ personId, role: 'reviewer', groups: [...groups] });
});
afterAll(() => engine.stop());

it('a round that waits is one task, of a fork too, which exactly those decide who are listed for it', async () => {
  const { redial } = engine;
  const refusalOf = (given: Promise<unknown>) =>
    given.then(
      () => '',
      ({ rejection }: { rejection: { code: string } }) => rejection.code,
    );
  await fc.assert(
    fc.asyncProperty(sessions, async ({ people, creator, proposers, forks }) => {
      const created = await redial.createSession({ machine: machine(people) }, { actor: creator });
      let { sessionId } = created;
      for (const [n, actor] of proposers.entries()) {
        const specialistId = `clerk${n}`;
        await redial.submitProposal({ sessionId, specialistId, transitionName: 'pay' }, { actor });
      }
      await redial.runSession({ sessionId });
      for (const { by, people: other } of forks) {
        const { revision: atRevision } = await redial.getSession({ sessionId });
        const overrides = other && { overrides: { machine: machine(other) } };
        ({ sessionId } = await redial.forkSession({ sessionId, atRevision, ...overrides }, { actor: by }));
      }
      const { items } = await redial.listTasks({ sessionId });
      const [task] = items;
      expect(items).toHaveLength(1);
      const taskId = task?.taskId ?? '';
      const allowed: string[] = [];
      for (const by of Object.keys(PEOPLE)) {
        const listed = await redial.listTasks({ sessionId, candidate: by });
        const answer = { taskId, choice: 'transition', transitionName: 'none' } as const;
        const refused = await refusalOf(redial.answerTask(answer, { actor: by }));
        const isRefused = ['excluded', 'not-a-candidate'].includes(refused);
        expect([by, listed.items.length, refused]).toEqual([by, isRefused ? 0 : 1, refused]);
        if (!isRefused) allowed.push(by);
      }
      const { priority = 50, dueIn } = (forks.findLast((one) => one.people)?.people ?? people) as {
        readonly priority?: number;
        readonly dueIn?: string;
      };
      expect([task?.priority, task?.dueAt !== undefined]).toEqual([priority, dueIn !== undefined]);
      const [by] = allowed;
      if (by === undefined) return;
      const pay = { choice: 'transition', transitionName: 'pay', digest: task?.digest ?? '' } as const;
      await redial.answerTask({ taskId, ...pay }, { actor: by });
      expect(await redial.listTasks({ sessionId, status: 'answered' })).toMatchObject({
        items: [{ taskId }],
      });
      expect(await redial.replaySession({ sessionId })).toMatchObject({ identical: true });
    }),
    { numRuns: 40, endOnFailure: true },
  );
});
