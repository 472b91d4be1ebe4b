import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EngineSettings, eventCatalogue } from '#lib/engine';
import { regress, Today } from '#lib/histories';
import { fileWith, historyFile } from '#lib/histories/testing';
import { type MachineInput, normalizeMachine } from '#lib/decisions/machines';
import { startEngine, type TestEngine } from '../support/engine.js';
import { reviewedRefunds, said } from '../support/reviewed-refunds.js';

const { workflows } = new EngineSettings({});
const { triage, ...states } = reviewedRefunds.states;
const prompting = (prompt: string) => ({
  ...reviewedRefunds,
  states: { ...states, triage: { ...triage, prompt } },
});
const recorded = prompting('And now?');
const changed = prompting('And what now?');

describe('the history of a fork beside today', () => {
  let engine: TestEngine;

  beforeEach(async () => {
    engine = await startEngine([said('review', 'review')]);
    await engine.redial.defineMachine(recorded);
  });

  afterEach(() => engine.stop());

  /** A session that is forked where it begins, and asks its proposer in the fork alone. */
  async function fork(overrides: object): Promise<string> {
    const { redial } = engine;
    const { sessionId } = await redial.createSession({ machineName: 'refunds' });
    const forked = await redial.forkSession({ sessionId, atRevision: 0, overrides });
    await redial.submitProposal({ sessionId: forked.sessionId, specialistId: 'clerk' });
    return fileWith(await historyFile(engine.log, forked.sessionId));
  }

  async function beside(machine: object, file: string) {
    const machines = [normalizeMachine(machine as MachineInput)];
    const today = new Today({ machines, workflows });
    const { exitCode, histories } = await regress([file], today, {
      codec: eventCatalogue(),
      engine: workflows,
    });
    return { exitCode, ...histories[0] };
  }

  it('is asked by the machine of today, as every other is', async () => {
    const file = await fork({});
    expect(await beside(recorded, file)).toMatchObject({ verdict: 'same', exitCode: 0 });
    expect(await beside(changed, file)).toMatchObject({
      verdict: 'requests',
      exitCode: 10,
      first: { today: expect.stringContaining('And what now?') },
    });
  });

  const { specialists, ...withoutSpecialists } = prompting('What if?');
  const another = specialists.map((one) => ({ ...one, contextTemplate: 'Another order.' }));

  it.each([
    ['the machine', { machine: prompting('What if?') }, changed],
    ['a machine without specialists', { machine: withoutSpecialists }, recorded],
    ['the specialists', { machine: prompting('What if?') }, { ...recorded, specialists: another }],
    ['a change of a specialist', { specialists: { clerk: { modelId: 'gpt-4o' } } }, recorded],
  ])('keeps %s that it was given', async (_, overrides, today) => {
    const file = await fork(overrides);
    expect(await beside(today, file)).toMatchObject({ verdict: 'same', exitCode: 0 });
  });
});
