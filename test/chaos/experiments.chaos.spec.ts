import { beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
import type { RedialOptions } from '#lib/engine';
import type { StoredEvent } from '#lib/event-store';
import type { Experiment, ExperimentBatchEnded } from '#lib/histories';
import type { RecordedEvent } from '#lib/kernel';
import { randomOf } from '#lib/workflow/testing';
import { startEngine, type TestEngine } from '../support/engine.js';
import { houseRule, loans } from '../support/loans.js';
import { inMemory, type Place } from '../support/places/place.js';
import { placeWith } from '../support/places/place-with.js';
import { untilEvent } from '../support/until-event.js';

const AMOUNTS = [10, 500, 20, 600, 30, 700, 40, 800, 50, 900, 60, 901, 70];
const SAMPLES = 20;
const ASKS = AMOUNTS.length * SAMPLES;
const CUTS = 20;

/** The log as a process that died after some event would have left it: with two batches. */
describe('an experiment whose process died', () => {
  let whole: readonly StoredEvent[];
  let prefix: string;
  let experimentId: string;
  let result: Experiment;
  let calls = 0;

  const strategies: RedialOptions['strategies'] = {
    prudent: ({ metaJson }) => {
      calls += 1;
      return { transitionName: houseRule(Number(metaJson?.['amount'])), costUSD: 0.5 };
    },
    generous: () => ({ transitionName: 'approve' }),
  };
  const start = (place: Place, options: RedialOptions = {}) =>
    startEngine([], { ...place, strategies, recoveryIntervalMs: 50, ...options });

  async function ended({ redial, log }: TestEngine): Promise<Experiment> {
    let answers = 0;
    await untilEvent(log, (event) => {
      if (event.type !== 'ExperimentBatchEnded') return false;
      answers += (event as RecordedEvent<ExperimentBatchEnded>).data.answers.length;
      return answers === ASKS;
    });
    return redial.getExperiment({ experimentId });
  }

  beforeAll(async () => {
    const engine = await start(inMemory);
    await engine.redial.defineMachine(loans);
    for (const amount of AMOUNTS) {
      const session = await engine.redial.createSession({ machineName: 'loans', metaJson: { amount } });
      const forced = { specialistId: 'boss', transitionName: houseRule(amount) };
      await engine.redial.submitArbitration({ sessionId: session.sessionId, ...forced });
    }
    const variants = [{ name: 'prudent', specialistId: 'prudent' }];
    const question = { points: { machineName: 'loans' }, variants, samples: SAMPLES, concurrency: 8 };
    const started = await engine.redial.startExperiment(question);
    ({ experimentId } = started as Experiment);
    result = await ended(engine);
    whole = await engine.log.store.readAll({ limit: 10_000 });
    ({ prefix } = engine.log.streams);
    await engine.stop();
  });

  it('is whole with one call for each ask', () => {
    expect(result).toMatchObject({
      status: 'completed',
      progress: { done: ASKS, total: ASKS, failed: 0 },
      spent: { calls: ASKS, costUSD: ASKS / 2 },
      report: { variants: [{ n: 13, people: { matches: 13 }, selfAgreement: 1 }] },
    });
    expect(calls).toBe(ASKS);
  });

  const random = randomOf(187);
  it.each(Array.from({ length: CUTS }, () => random()))(
    'goes on by itself after a cut at %f of its events: no answered call is made again',
    async (share) => {
      const first = whole.findIndex(({ type }) => type === 'ExperimentStarted') + 2;
      const left = whole.slice(0, first + Math.floor(share * (whole.length - first)));
      const answered = left.filter(({ type }) => type === 'FunctionCallCompleted').length;
      calls = 0;
      const engine = await start(await placeWith({ dataDir: temporaryFolder() }, left, prefix));
      try {
        const { status, progress, spent, report } = await ended(engine);
        expect({ status, progress }).toEqual({ status: 'completed', progress: result.progress });
        expect(calls).toBe(ASKS - answered);
        expect(report.variants).toMatchObject([{ n: 13, people: { matches: 13 }, negativeFlips: 0 }]);
        // A call that was cut off was made, too.
        expect(spent.calls).toBeGreaterThanOrEqual(ASKS);
        expect(spent.costUSD).toBe(ASKS / 2);
      } finally {
        await engine.stop();
      }
    },
  );

  it('is cancelled cleanly: open calls end and are counted, and nothing else is asked', async () => {
    const first = whole.findIndex(({ type }) => type === 'ExperimentStarted') + 2;
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let open = 0;
    const slow: RedialOptions['strategies'] = {
      prudent: async () => {
        open += 1;
        await held;
        return { transitionName: 'approve', costUSD: 0.5 };
      },
    };
    const place = await placeWith({ dataDir: temporaryFolder() }, whole.slice(0, first), prefix);
    const engine = await start(place, { strategies: { ...strategies, ...slow } });
    try {
      let requested = 0;
      await untilEvent(engine.log, ({ type }) => type === 'FunctionCallRequested' && ++requested === 8);
      const cancelled = await engine.redial.cancelExperiment({ experimentId, reason: 'enough' });
      expect(cancelled).toMatchObject({ status: 'cancelled' });
      release();
      await untilEvent(engine.log, ({ type }) => type === 'ExperimentBatchFailed');
      const experiment = await engine.redial.getExperiment({ experimentId });
      expect(experiment).toMatchObject({
        status: 'cancelled',
        progress: { done: 8, total: ASKS, failed: 0 },
        spent: { calls: 8, costUSD: 4 },
      });
      expect(open).toBe(8);
      const { items } = await engine.redial.listExperiments({ status: 'cancelled' });
      expect(items).toMatchObject([{ experimentId, endedAt: experiment.endedAt }]);
    } finally {
      await engine.stop();
    }
  });
});
