import { afterAll, beforeAll, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { askPerson, defineWorkflow, either, signal } from '#lib/workflow';
import { startEngine, type TestEngine } from '../support/engine.js';
import { untilEvent } from '../support/until-event.js';

const anything = { type: 'object' };

interface Asked {
  readonly people: object;
  readonly isForPeople: boolean;
}

/** Waits for all that its input names, until one is answered. */
const waitingForOne = defineWorkflow<{ asked: readonly Asked[] }, unknown>('waiting', {
  input: { type: 'object' },
  versions: {
    1: function* ({ input }) {
      return yield* either(
        Object.fromEntries(
          input.asked.map(({ people, isForPeople }, n) => [
            `w${n}`,
            isForPeople
              ? askPerson({ title: `Question ${n}`, schema: anything, ...people })
              : signal(`program${n}`),
          ]),
        ),
      );
    },
  },
});

const PEOPLE: { readonly [personId: string]: readonly string[] } = {
  ann: ['buyers'],
  bob: ['buyers', 'heads'],
  cy: [],
};
const policy = fc
  .record({
    groups: fc.option(fc.subarray(['buyers', 'heads']), { nil: undefined }),
    people: fc.option(fc.subarray(['ann', 'cy']), { nil: undefined }),
    exclude: fc.option(fc.subarray(['creator', 'bob']), { nil: undefined }),
  })
  .map((given) => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)));
const waits = fc.array(fc.record({ people: policy, isForPeople: fc.boolean() }), {
  minLength: 1,
  maxLength: 4,
});
const person = fc.constantFrom(...Object.keys(PEOPLE));
const runs = fc.record({
  asked: waits,
  starter: person,
  forkers: fc.array(person, { maxLength: 2 }),
  pick: fc.nat(),
});

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine([], { workflows: [waitingForOne] });
  for (const [personId, groups] of Object.entries(PEOPLE))
    await engine.redial.registerPerson({ personId, role: 'reviewer', groups: [...groups] });
});
afterAll(() => engine.stop());

it('every wait for people is one task, of a fork too, which exactly its candidates answer; its answer withdraws those beside it', async () => {
  const { redial } = engine;
  await fc.assert(
    fc.asyncProperty(runs, async ({ asked, starter, forkers, pick }) => {
      const input = { workflow: 'waiting', input: { asked } };
      let { runId } = await redial.startRun({ ...input, waitMs: 30_000 }, { actor: starter });
      for (const actor of forkers) {
        const { revision: atRevision } = await redial.getRun({ runId });
        ({ runId } = await redial.forkRun({ runId, atRevision }, { actor }));
        await redial.getRun({ runId, waitMs: 30_000 });
      }
      const ofPeople = asked.filter(({ isForPeople }) => isForPeople);
      const { items } = await redial.listTasks({ runId });
      expect(items).toHaveLength(ofPeople.length);
      expect(new Set(items.map(({ taskId }) => taskId)).size).toBe(items.length);
      const answers: [string, string][] = [];
      for (const by of Object.keys(PEOPLE)) {
        const mine = await redial.listTasks({ runId, candidate: by });
        const ids = mine.items.map(({ taskId }) => taskId);
        for (const { taskId } of items) {
          if (ids.includes(taskId)) answers.push([taskId, by]);
          // The answer does not fit its schema: who may answer is told to know that first.
          const refused = await redial
            .answerTask({ taskId, choice: 'answer', payload: 7 }, { actor: by })
            .then(
              () => '',
              ({ rejection }: { rejection: { code: string } }) => rejection.code,
            );
          const isRefused = ['excluded', 'not-a-candidate'].includes(refused);
          expect([ids.includes(taskId), refused]).toEqual(
            isRefused ? [false, refused] : [true, 'invalid-arguments'],
          );
        }
      }
      const [taskId, by] = answers[pick % Math.max(1, answers.length)] ?? [];
      if (taskId === undefined || by === undefined) return void (await redial.cancelRun({ runId }));
      const { task } = await redial.answerTask({ taskId, choice: 'answer', payload: {} }, { actor: by });
      expect(task).toMatchObject({ status: 'answered', answer: { by } });
      const { position } = await untilEvent(engine.log, ({ type, stream }) => {
        return type === 'WorkflowEnded' && stream.endsWith(runId);
      });
      const after = await redial.listTasks({ runId, status: 'all', minPosition: position });
      expect(after.items.map(({ status }) => status).toSorted()).toEqual(
        ofPeople.map((_, n) => (n === 0 ? 'answered' : 'withdrawn')),
      );
      expect(await redial.replayRun({ runId })).toMatchObject({ identical: true });
    }),
    { numRuns: 25, endOnFailure: true },
  );
});
