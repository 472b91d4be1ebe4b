import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Redial } from '#lib/engine';
import { describeOnEachEngine } from '../support/places/describe-on-engines.js';
import { RedialServer } from '../support/redial-server.js';

/** 1,000 with `ROUNDS=1000`. */
const ROUNDS = Number(process.env['ROUNDS'] ?? 10);
const LIMIT_MS = 60_000 + ROUNDS * 2_000;
const PEOPLE = Array.from({ length: 20 }, (_, n) => `person-${n}`);

const machine = {
  machineName: 'queue',
  initialState: 'asked',
  goalState: 'done',
  people: { groups: ['desk'] },
  states: { asked: { transitions: { yes: 'done', no: 'done' } }, done: {} },
};

interface Refused {
  readonly rejection: {
    readonly code: string;
    readonly task?: { readonly answer?: { readonly by: string } };
  };
}

describeOnEachEngine('20 people who answer one task at once', (emptyPlace) => {
  let server: RedialServer;
  let redial: Redial;

  beforeEach(async () => {
    server = await RedialServer.start({ place: await emptyPlace() });
    redial = server.app.get(Redial);
    for (const personId of PEOPLE)
      await redial.registerPerson({ personId, role: 'reviewer', groups: ['desk'] });
    await redial.defineMachine(machine);
  });
  afterEach(() => server.stop());

  it(
    `0.2-H6: one is taken, and 19 are told whose, in each of ${ROUNDS} rounds`,
    async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const { sessionId } = await redial.createSession({ machineName: 'queue' });
        await redial.tickSession({ sessionId });
        const { items } = await redial.listTasks({ sessionId });
        const { taskId = '', digest = '' } = items[0] ?? {};
        const answers = await Promise.allSettled(
          PEOPLE.map((actor, n) => {
            const transitionName = n % 2 ? 'yes' : 'no';
            return redial.answerTask({ taskId, digest, choice: 'transition', transitionName }, { actor });
          }),
        );
        const taken = answers.flatMap((one, n) => (one.status === 'fulfilled' ? [PEOPLE[n]] : []));
        expect(taken).toHaveLength(1);
        const told = answers.flatMap((one) =>
          one.status === 'rejected' ? [(one.reason as Refused).rejection] : [],
        );
        expect(new Set(told.map(({ code, task }) => `${code} ${task?.answer?.by}`))).toEqual(
          new Set([`answered ${taken[0]}`]),
        );
        const { history } = await redial.getSession({ sessionId });
        expect(history).toMatchObject([{ isHuman: true, decidedBy: taken[0] }]);
        const { identical } = await redial.replaySession({ sessionId });
        expect(identical).toBe(true);
      }
    },
    LIMIT_MS,
  );
});
