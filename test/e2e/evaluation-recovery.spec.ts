import { beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
import type { RedialOptions } from '#lib/engine';
import type { Evaluation } from '#lib/histories';
import type { StoredEvent } from '#lib/event-store';
import { startEngine, type TestEngine } from '../support/engine.js';
import { houseRule, loans } from '../support/loans.js';
import { inMemory, type Place } from '../support/places/place.js';
import { placeWith } from '../support/places/place-with.js';
import { untilEvent } from '../support/until-event.js';

const AMOUNTS = [10, 500, 20, 600, 30, 700];
const input = { specialistId: 'prudent', against: 'exemplars' } as const;

/** The log as a process that died after some event would have left it. */
describe('an evaluation whose call was cut off', () => {
  let whole: readonly StoredEvent[];
  let prefix: string;
  let result: Evaluation;
  let calls = 0;

  const strategies: RedialOptions['strategies'] = {
    prudent: ({ metaJson }) => {
      calls += 1;
      return { transitionName: houseRule(Number(metaJson?.['amount'])), costUSD: 1 };
    },
    generous: () => ({ transitionName: 'approve' }),
  };
  const start = (place: Place, options: RedialOptions = { strategies }) =>
    startEngine([], { ...place, recoveryIntervalMs: 60_000, ...options });
  const evaluate = async ({ redial }: TestEngine) =>
    (await redial.evaluateSpecialist(input, { idempotencyKey: 'once' })) as Evaluation;

  beforeAll(async () => {
    const engine = await start(inMemory);
    await engine.redial.defineMachine(loans);
    for (const amount of AMOUNTS) {
      const session = await engine.redial.createSession({ machineName: 'loans', metaJson: { amount } });
      const forced = { specialistId: 'boss', transitionName: houseRule(amount) };
      await engine.redial.submitArbitration({ sessionId: session.sessionId, ...forced });
    }
    result = await evaluate(engine);
    whole = await engine.log.store.readAll({ limit: 1000 });
    ({ prefix } = engine.log.streams);
    await engine.stop();
  });

  const placeOf = async (events: readonly StoredEvent[]) =>
    placeWith({ dataDir: temporaryFolder() }, events, prefix);
  const cutAfter = (type: string) => whole.slice(0, whole.findIndex((event) => event.type === type) + 1);
  const endedIn = (events: readonly StoredEvent[]) =>
    events.filter(({ type }) => type === 'WorkflowEnded').length;

  async function expectFinished(engine: TestEngine): Promise<void> {
    expect(essence(await evaluate(engine))).toEqual(essence(result));
    const report = { identical: true, open: 0, streamsChecked: AMOUNTS.length + 2 };
    expect(await engine.redial.replayEvaluation({ evaluationId: result.evaluationId })).toMatchObject(report);
  }

  it.each([
    'WorkflowStarted',
    'ChildStarted',
    'FunctionCallRequested',
    'FunctionCallCompleted',
    'WorkflowEnded',
    'ChildEnded',
  ])(
    'is finished by a repeat after a cut behind the first %s: what is answered is not asked again',
    async (type) => {
      const left = cutAfter(type);
      const answered = left.filter((event) => event.type === 'FunctionCallCompleted').length;
      const engine = await start(await placeOf(left));
      try {
        calls = 0;
        const repeated = await evaluate(engine);
        expect(calls).toBe(AMOUNTS.length - answered);
        expect(await evaluate(engine)).toEqual(repeated);
        expect(calls).toBe(AMOUNTS.length - answered);
        await expectFinished(engine);
      } finally {
        await engine.stop();
      }
    },
  );

  // The leases are lost with the rows.
  it.each(['ChildStarted', 'WorkflowEnded'])('is finished by a sweep after a cut behind %s', async (type) => {
    const left = cutAfter(type);
    const engine = await start(await placeOf(left), { strategies, recoveryIntervalMs: 50 });
    try {
      const { position } = await untilEvent(engine.log, isEndOfEvaluation);
      const { items } = await engine.redial.listEvaluations({
        specialistId: 'prudent',
        ...(position !== undefined && { minPosition: position }),
      });
      expect(items).toMatchObject([{ status: 'completed', rounds: AMOUNTS.length }]);
      expect((await engine.redial.getEvaluation({ evaluationId: result.evaluationId })).samples).toHaveLength(
        AMOUNTS.length,
      );
    } finally {
      await engine.stop();
    }
  });

  it('is answered as unfinished when the process stops, and continues in the next one', async () => {
    const place = await placeOf(cutAfter('WorkflowStarted'));
    const silent = () => new Promise<never>(() => undefined);
    const engine = await start(place, {
      strategies: { ...strategies, prudent: silent },
      shutdownGraceMs: 10,
    });
    const unfinished = evaluate(engine).catch((error: unknown) => error);
    await untilFour(engine);
    await engine.stop();
    expect(String(await unfinished)).toContain(
      `[EvaluationUnfinished] evaluation ${result.evaluationId} was begun and not finished`,
    );
    const next = await start(place);
    try {
      calls = 0;
      await expectFinished(next);
      expect(calls).toBe(AMOUNTS.length);
    } finally {
      await next.stop();
    }
  });

  /** Requests of calls that nobody answers. */
  async function untilFour({ log }: TestEngine): Promise<void> {
    let requested = 0;
    await untilEvent(log, ({ type }) => type === 'FunctionCallRequested' && ++requested === 4);
  }

  it('stays open when this process cannot ask, and each repeat gets the reason', async () => {
    const left = cutAfter('ChildEnded');
    const engine = await start(await placeOf(left), {});
    try {
      for (let n = 0; n < 2; n++)
        await expect(evaluate(engine)).rejects.toThrow(/EvaluationUnfinished.*prudent/);
      const now = await engine.log.store.readAll({ limit: 1000 });
      expect(endedIn(now)).toBe(endedIn(left));
      expect(await engine.redial.getEvaluation({ evaluationId: result.evaluationId })).toMatchObject({
        status: 'running',
      });
      expect(await engine.redial.replayEvaluation({ evaluationId: result.evaluationId })).toMatchObject({
        identical: true,
      });
    } finally {
      await engine.stop();
    }
  });
});

function isEndOfEvaluation({ type, stream }: { type: string; stream: string }): boolean {
  return type === 'ExperimentBatchEnded' && stream.includes('_experiment-');
}

/** The members that do not depend on time. */
function essence({ startedAt: _, completedAt: __, meanLatencyMsec: ___, samples, ...rest }: Evaluation) {
  return {
    ...rest,
    samples: samples.map(({ answer, ...sample }) => ({
      ...sample,
      answer: { ...(answer as object), latencyMsec: 0 },
    })),
  };
}
