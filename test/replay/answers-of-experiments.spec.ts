import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RedialOptions } from '#lib/engine';
import type { Experiment } from '#lib/histories';
import { startEngine, type TestEngine } from '../support/engine.js';
import { loans } from '../support/loans.js';
import { inMemory } from '../support/places/place.js';
import { untilEvent } from '../support/until-event.js';

const AMOUNTS = [10, 11, 12, 13, 14];
/** The answers after which the function waits. */
const ANSWERED = 3;

describe('the answers to commands about experiments', () => {
  let engine: TestEngine;
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let calls = 0;

  const strategies: RedialOptions['strategies'] = {
    prudent: async () => {
      calls += 1;
      if (calls > ANSWERED) await held;
      return { transitionName: 'approve', costUSD: 0.5 };
    },
    generous: () => ({ transitionName: 'approve' }),
  };

  beforeAll(async () => {
    engine = await startEngine([], { ...inMemory, strategies });
    await engine.redial.defineMachine(loans);
    for (const amount of AMOUNTS) {
      const { sessionId } = await engine.redial.createSession({ machineName: 'loans', metaJson: { amount } });
      await engine.redial.submitArbitration({ sessionId, specialistId: 'boss', transitionName: 'approve' });
    }
  });
  afterAll(async () => {
    release();
    await engine.stop();
  });

  it('hold what the open batch has answered and spent, and are the same under the same key', async () => {
    const question = {
      points: { machineName: 'loans' },
      variants: [{ name: 'prudent', specialistId: 'prudent' }],
      concurrency: 1,
    };
    const { experimentId } = (await engine.redial.startExperiment(question)) as Experiment;
    let ended = 0;
    await untilEvent(
      engine.log,
      ({ type, stream }) =>
        type === 'ChildEnded' && stream.includes('experiment_batch') && ++ended === ANSWERED,
    );
    const cancel = () => engine.redial.cancelExperiment({ experimentId }, { idempotencyKey: 'enough' });
    const cancelled = await cancel();
    expect(cancelled).toMatchObject({
      status: 'cancelled',
      progress: { done: ANSWERED, total: AMOUNTS.length, failed: 0 },
      spent: { calls: ANSWERED, costUSD: ANSWERED / 2 },
      report: { variants: [{ n: ANSWERED }] },
    });
    release();
    await untilEvent(engine.log, ({ type }) => type === 'ExperimentBatchFailed');
    expect(await cancel()).toEqual(cancelled);
  });
});
