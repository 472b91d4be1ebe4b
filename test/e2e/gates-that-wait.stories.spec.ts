import { afterEach, expect, it } from '@jest/globals';
import { Redial } from '#lib/engine';
import { askPerson, defineWorkflow } from '#lib/workflow';
import { describeOnEachEngine } from '../support/places/describe-on-engines.js';
import { RedialServer } from '../support/redial-server.js';

/** Proposes once a person has answered. */
const asking = defineWorkflow<object, unknown>('asking', {
  input: { type: 'object' },
  versions: {
    1: function* () {
      yield* askPerson({ title: 'Is it right?', schema: { type: 'boolean' } });
      return { exit: 'yes', summary: 'a person looked at it' };
    },
  },
});

const gate = {
  gateId: 'checked',
  prompt: 'Is it right?',
  choices: { yes: 'It is', no: 'It is not' },
  specialists: [
    { role: 'proposer', specialistId: 'writer', workflow: { name: 'asking' } },
    { role: 'arbiter', specialistId: 'judge', strategyFnName: 'firstProposal' },
  ],
};

describeOnEachEngine('a gate whose proposer waits for a person', (emptyPlace) => {
  let server: RedialServer;
  afterEach(() => server.stop());

  it('answers the same call also once its session was closed: there is no decision', async () => {
    server = await RedialServer.start({ place: await emptyPlace(), options: { workflows: [asking] } });
    const redial = server.app.get(Redial);
    await server.post('/v1/gates', gate);
    const invoke = () => redial.invokeGate({ gateId: 'checked' }, { idempotencyKey: 'one' });
    const { sessionId } = await invoke();
    await redial.closeSession({ sessionId });
    const repeated = await invoke();
    expect(repeated).toMatchObject({ sessionId, needsHuman: false });
    expect(repeated).not.toHaveProperty('decision');
    expect(await redial.getInvocation({ gateId: 'checked', sessionId })).toEqual(repeated);
  });

  it('says that it needs a person, and goes on with the same call once they have answered', async () => {
    server = await RedialServer.start({ place: await emptyPlace(), options: { workflows: [asking] } });
    const redial = server.app.get(Redial);
    expect((await server.post('/v1/gates', gate)).status).toBe(201);
    await redial.registerPerson({ personId: 'ann', role: 'reviewer' });
    const invoke = () => redial.invokeGate({ gateId: 'checked' }, { idempotencyKey: 'one' });
    const asked = await invoke();
    const { sessionId } = asked;
    expect(asked).toMatchObject({ needsHuman: true, reasoning: 'A proposer waits for a person.' });
    expect(asked).not.toHaveProperty('decision');
    expect(await redial.getInvocation({ gateId: 'checked', sessionId })).toEqual(asked);
    const { taskId = '' } = (await redial.listTasks({ sessionId })).items[0] ?? {};
    await redial.answerTask({ taskId, choice: 'answer', payload: true }, { actor: 'ann' });
    const decided = { decision: 'yes', needsHuman: false, reasoning: 'a person looked at it' };
    expect(await invoke()).toMatchObject({ sessionId, ...decided });
    expect(await redial.getInvocation({ gateId: 'checked', sessionId })).toMatchObject(decided);
  });
});
