import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Redial } from '#lib/engine';
import { describeOnEachEngine } from '../support/places/describe-on-engines.js';
import { RedialServer } from '../support/redial-server.js';

const human = (specialistId: string, personId: string) => ({
  role: 'proposer' as const,
  specialistId,
  isHuman: true,
  personId,
});
const machine = (machineName: string, more: object = {}) => ({
  machineName,
  initialState: 'asked',
  goalState: 'paid',
  states: { asked: { transitions: { pay: 'paid' } }, paid: {} },
  ...more,
});

describeOnEachEngine('the tasks of human specialists, in lists as for each person', (emptyPlace) => {
  let server: RedialServer;
  let redial: Redial;
  beforeEach(async () => {
    server = await RedialServer.start({ place: await emptyPlace() });
    redial = server.app.get(Redial);
    for (const personId of ['ann', 'bob']) await redial.registerPerson({ personId, role: 'reviewer' });
  });
  afterEach(() => server.stop());

  async function waiting(machineName: string): Promise<string> {
    return (await redial.runSession({ machineName })).sessionId;
  }
  /** For whom the task of the session is listed. */
  async function listedFor(sessionId: string): Promise<readonly string[]> {
    const listed: string[] = [];
    for (const candidate of ['ann', 'bob']) {
      const { items } = await redial.listTasks({ sessionId, candidate });
      if (items.length > 0) listed.push(candidate);
    }
    return listed;
  }
  async function taskOf(sessionId: string) {
    const [task] = (await redial.listTasks({ sessionId })).items;
    if (!task) throw new Error('no task');
    return task;
  }

  it('are those of the machine as it was when the session began', async () => {
    const chaired = (personId: string) => machine('chaired', { specialists: [human('chair', personId)] });
    await redial.defineMachine(chaired('ann'));
    const before = await waiting('chaired');
    await redial.defineMachine(chaired('bob'));
    const after = await waiting('chaired');
    for (const [sessionId, person, other] of [
      [before, 'ann', 'bob'],
      [after, 'bob', 'ann'],
    ] as const) {
      const { taskId, candidates } = await taskOf(sessionId);
      expect([candidates.people, await listedFor(sessionId)]).toEqual([[person], [person]]);
      await expect(redial.claimTask({ taskId }, { actor: other })).rejects.toMatchObject({
        rejection: { code: 'not-a-candidate' },
      });
      expect(await redial.claimTask({ taskId }, { actor: person })).toMatchObject({ status: 'claimed' });
      expect(await redial.listTasks({ sessionId, status: 'claimed' })).toMatchObject({ items: [{ taskId }] });
    }
  });

  it('are nobody’s while the specialist is disabled: a claim holds no longer, in no list', async () => {
    await redial.defineMachine(machine('disabled', { specialists: [human('head', 'ann')] }));
    const sessionId = await waiting('disabled');
    const { taskId } = await taskOf(sessionId);
    await redial.claimTask({ taskId }, { actor: 'ann' });
    await redial.disableSpecialist({ specialistId: 'head' });
    expect(await redial.getTask({ taskId })).toMatchObject({ status: 'open', candidates: { people: [] } });
    expect(await listedFor(sessionId)).toEqual([]);
    expect(await redial.listTasks({ sessionId, status: 'claimed' })).toMatchObject({ items: [] });
    expect(await redial.listTasks({ sessionId, status: 'open' })).toMatchObject({ items: [{ taskId }] });
    await redial.enableSpecialist({ specialistId: 'head' });
    expect(await listedFor(sessionId)).toEqual(['ann']);
  });

  it.each([
    ['a machine', true],
    ['a session that came with its machine', false],
  ])('are those of the state alone: in %s', async (_, isDefined) => {
    const transitions = { pay: 'paid' };
    const states = {
      asked: { transitions, specialists: [human('here', 'ann')] },
      later: { transitions, specialists: [human('there', 'bob')] },
      paid: {},
    };
    const given = machine('stated', { states });
    if (isDefined) await redial.defineMachine(given);
    const { sessionId } = await redial.runSession(isDefined ? { machineName: 'stated' } : { machine: given });
    expect((await taskOf(sessionId)).candidates.people).toEqual(['ann']);
    expect(await listedFor(sessionId)).toEqual(['ann']);
  });

  it('are those of specialists that were registered by themselves where the machine declares no proposers', async () => {
    await redial.defineMachine(machine('bare'));
    await redial.registerSpecialist({ machineName: 'bare', ...human('alone', 'bob') });
    const sessionId = await waiting('bare');
    expect((await taskOf(sessionId)).candidates.people).toEqual(['bob']);
    expect(await listedFor(sessionId)).toEqual(['bob']);
  });
});
