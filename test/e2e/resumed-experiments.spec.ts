import { setImmediate } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
import { text } from '#lib/activities/testing';
import type { RedialOptions } from '#lib/engine';
import type { Experiment } from '#lib/histories';
import { startEngine, type TestEngine } from '../support/engine.js';
import { lenders, loans } from '../support/loans.js';

const usage = { prompt_tokens: 1_000_000, completion_tokens: 0 };
const script = () => text({ transitionName: 'approve', toState: 'closed', reasoning: 'so' }, { usage });
const models = { 'priced-1': { inputPerMillion: 1, outputPerMillion: 1 } };
const price = { version: 'now', from: '2020-01-01T00:00:00Z', currency: 'USD', models } as const;

async function ended({ redial }: TestEngine, experimentId: string): Promise<Experiment> {
  for (;;) {
    const experiment = await redial.getExperiment({ experimentId });
    if (experiment.status !== 'running') return experiment;
    await setImmediate();
  }
}

it('an experiment that its limit in US dollars stopped goes on only in a process that knows the prices', async () => {
  const dataDir = temporaryFolder();
  const start = (options: RedialOptions) => startEngine(script, { dataDir, strategies: lenders, ...options });
  const first = await start({ prices: [price] });
  const { redial } = first;
  await redial.defineMachine(loans);
  for (let amount = 1; amount <= 6; amount++) {
    const { sessionId } = await redial.createSession({ machineName: 'loans', metaJson: { amount } });
    await redial.submitArbitration({ sessionId, specialistId: 'boss', transitionName: 'approve' });
  }
  await redial.registerProposer({
    specialistId: 'apprentice',
    machineName: 'loans',
    modelId: 'priced-1',
    contextTemplate: '{{metaJson.amount}}',
  });
  const begun = await redial.startExperiment({
    points: { machineName: 'loans' },
    variants: [{ name: 'now', specialistId: 'apprentice' }],
    maxCostUSD: 1.5,
    concurrency: 1,
  });
  if (!('experimentId' in begun)) throw new Error('It is an estimate.');
  const { experimentId } = begun;
  expect(await ended(first, experimentId)).toMatchObject({
    stoppedBy: 'cost',
    spent: { calls: 2, costUSD: 2 },
  });
  await first.stop();

  const unpriced = await start({});
  const limits = { experimentId, maxCostUSD: 3.5 };
  const resuming = unpriced.redial.resumeExperiment(limits).then(() => ended(unpriced, experimentId));
  await expect(resuming).rejects.toThrow('[UnknownPrice]');
  expect(await unpriced.redial.getExperiment({ experimentId })).toMatchObject({ status: 'stopped' });
  await unpriced.stop();

  const second = await start({ prices: [price] });
  const key = { idempotencyKey: 'more' };
  const resumed = await second.redial.resumeExperiment(limits, key);
  expect(await ended(second, experimentId)).toMatchObject({
    stoppedBy: 'cost',
    spent: { calls: 4, costUSD: 4 },
  });
  await second.stop();

  const third = await start({});
  expect(await third.redial.resumeExperiment(limits, key)).toEqual(resumed);
  await third.stop();
});
