import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Redial } from '#lib/engine';
import { Meters } from '#lib/decisions/metrics';
import { startEngine, type TestEngine } from '../support/engine.js';
import { houseRule, lenders, loans } from '../support/loans.js';

let engine: TestEngine;
let redial: Redial;

beforeEach(async () => {
  engine = await startEngine([], { strategies: lenders });
  redial = engine.redial;
  await redial.defineMachine(loans);
});

afterEach(() => engine.stop());

async function ask(amount: number): Promise<string> {
  return (await redial.createSession({ machineName: 'loans', metaJson: { amount } })).sessionId;
}

const decide = (sessionId: string, transitionName: string) =>
  redial.submitArbitration({ sessionId, specialistId: 'boss', transitionName });

/** A round that both colleagues propose in, and that the boss decides by the house rule. */
async function teach(amount: number): Promise<void> {
  const sessionId = await ask(amount);
  for (const specialistId of ['prudent', 'generous'])
    await redial.submitProposal({ sessionId, specialistId });
  await decide(sessionId, houseRule(amount));
}

it('X-D11: by the facade: a person decides at first, then the champion alone but for spot checks, and everybody again once it errs', async () => {
  const first = await redial.runSession({ machineName: 'loans', metaJson: { amount: 500 } });
  expect(first).toMatchObject({ status: 'needs_human', currentState: 'asked' });
  const { items } = await redial.getInbox();
  expect(items).toMatchObject([{ sessionId: first.sessionId, reason: 'no-consensus' }]);
  await decide(first.sessionId, 'reject');

  for (let round = 1; round < 16; round++) await teach(round % 2 === 0 ? 10 : 500);
  await redial.disableSpecialist({ specialistId: 'generous' });
  const alone = await redial.runSession({ machineName: 'loans', metaJson: { amount: 900 } });
  expect(alone).toMatchObject({ status: 'done', history: [{ transitionName: 'reject', isHuman: false }] });
  expect(await redial.getCollapseMetrics({ machineName: 'loans' })).toMatchObject({
    humanDecisions: 16,
    aiDecisions: 1,
    alignment: expect.arrayContaining([
      expect.objectContaining({ specialistId: 'prudent', matchingChoices: 16, totalComparisons: 16 }),
    ]),
  });
  const counted = await engine.app.get(Meters).read(await engine.log.store.head());
  expect(counted.decisions).toEqual(
    new Map([
      ['person', 16],
      ['models', 1],
    ]),
  );

  await redial.enableSpecialist({ specialistId: 'generous' });
  await redial.defineMachine({ ...loans, collapse: {} });
  const asked = async (amount: number) => {
    const { sessionId, status } = await redial.runSession({ machineName: 'loans', metaJson: { amount } });
    const proposals = await redial.listProposals({ sessionId });
    return { sessionId, status, by: proposals.items.map(({ specialistId }) => specialistId) };
  };
  expect(await asked(900)).toMatchObject({ status: 'done', by: ['prudent'] });
  await redial.defineMachine({ ...loans, collapse: { spotCheckEvery: 1 } });
  const checked = await asked(900);
  expect(checked).toMatchObject({ status: 'needs_human', by: ['prudent', 'generous'] });
  expect((await redial.getInbox()).items).toMatchObject([
    { sessionId: checked.sessionId, reason: 'spot-check' },
  ]);
  await decide(checked.sessionId, 'reject');
  await redial.defineMachine(loans);
  await redial.disableSpecialist({ specialistId: 'generous' });

  const wrong = await ask(50);
  await redial.submitProposal({ sessionId: wrong, specialistId: 'prudent' });
  expect(await decide(wrong, 'reject')).toMatchObject({ executed: true, isHuman: true });
  expect(await redial.getSpecialist({ specialistId: 'generous' })).toMatchObject({ enabled: true });
  expect(await redial.tickSession({ sessionId: await ask(30) })).toMatchObject({ specialistId: 'generous' });
  for await (const { identical } of redial.replayAll()) expect(identical).toBe(true);
});

it('X-D11: the disabled proposers come back, in the same round, when the only one that is left answers with what is not a proposal', async () => {
  await redial.defineMachine({ ...loans, machineName: 'odd', specialists: [] });
  const proposer = (specialistId: string, strategyFnName: string) =>
    redial.registerProposer({ machineName: 'odd', specialistId, strategyFnName });
  await engine.redial.registerProposer({
    machineName: 'odd',
    specialistId: 'broken',
    strategyFn: () => ({ transitionName: 'no such way' }),
  });
  await proposer('back', 'firstAvailable');
  await proposer('back-too', 'lastAvailable');
  await redial.registerProposer({
    machineName: 'odd',
    specialistId: 'new',
    strategyFnName: 'random',
    disabled: true,
  });
  for (const specialistId of ['back', 'back-too']) await redial.disableSpecialist({ specialistId });
  const { sessionId } = await redial.runSession({ machineName: 'odd' });
  const { items } = await redial.listProposals({ sessionId });
  expect(items.map(({ specialistId }) => specialistId)).toEqual(['back', 'back-too']);
  const enabled = async (specialistId: string) => (await redial.getSpecialist({ specialistId })).enabled;
  expect(await Promise.all(['back', 'back-too', 'new'].map(enabled))).toEqual([true, true, false]);
  expect(await redial.replaySession({ sessionId })).toMatchObject({ identical: true });
});
