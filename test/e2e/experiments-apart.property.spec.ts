import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Redial } from '#lib/engine';
import type { Experiment } from '#lib/histories';
import { houseRule, lenders, loans } from '../support/loans.js';
import { inMemory } from '../support/places/place.js';
import { ReactingEngine } from '../support/reacting.js';

const AMOUNTS = [10, 500, 20, 600, 30, 700];

let engine: ReactingEngine;
beforeAll(async () => {
  engine = await ReactingEngine.start({ ...inMemory, strategies: lenders });
  const { redial } = engine;
  await redial.defineMachine(loans);
  for (const amount of AMOUNTS) {
    const { sessionId, status } = await redial.runSession({ machineName: 'loans', metaJson: { amount } });
    if (status !== 'needs_human') continue;
    const forced = { specialistId: 'boss', transitionName: houseRule(amount) };
    await redial.submitArbitration({ sessionId, ...forced });
  }
  await redial.createSession({ machineName: 'loans', metaJson: { amount: 1 } });
  await engine.until(() => engine.received.length === AMOUNTS.length);
}, 60_000);
afterAll(() => engine.stop());

/** The answers of every read about decisions. */
async function seen() {
  const { redial, received } = engine;
  const machineName = 'loans';
  const { items } = await redial.listSessions({});
  const sessions = items.map(async ({ sessionId }) => [
    await redial.getSession({ sessionId }),
    await redial.listSessionEvents({ sessionId, limit: 500 }),
    await redial.listProposals({ sessionId }),
    await redial.listLlmCallsOfSession({ sessionId }),
  ]);
  return {
    items,
    sessions: await Promise.all(sessions),
    alignment: await redial.getAlignment({ machineName }),
    metrics: await redial.getCollapseMetrics({ machineName }),
    decisions: await redial.getDecisionLog({ machineName }),
    days: await redial.getDecisionDays({ machineName }),
    exemplars: await redial.listExemplars({ machineName }),
    models: await redial.getModelStatistics({}),
    inbox: await redial.getInbox({}),
    tasks: await redial.listTasks({}),
    specialists: await redial.listSpecialists({ machineName }),
    reactions: (await redial.listReactions({})).items.map(({ position: _, ...reaction }) => reaction),
    received: [...received],
  };
}

const names = ['now', 'other'] as const;
const question = fc.record(
  {
    points: fc.constantFrom(
      { machineName: 'loans' },
      { machineName: 'loans', decidedBy: 'people' as const, order: 'random' as const, max: 3 },
    ),
    variants: fc.constantFrom(
      [{ name: names[0], specialistId: 'prudent' }],
      [
        { name: names[0], specialistId: 'prudent' },
        { name: names[1], specialistId: 'generous' },
      ],
    ),
    samples: fc.integer({ min: 1, max: 3 }),
    baseline: fc.constantFrom('recorded', names[0]),
    maxCalls: fc.integer({ min: 1, max: 20 }),
    concurrency: fc.integer({ min: 1, max: 8 }),
  },
  { requiredKeys: ['points', 'variants'] },
);

async function experimented(
  asked: Parameters<Redial['startExperiment']>[0],
  isCancelled: boolean,
): Promise<void> {
  const { redial } = engine;
  const { experimentId } = (await redial.startExperiment(asked)) as Experiment;
  if (isCancelled) await redial.cancelExperiment({ experimentId }).catch(() => undefined);
  const isOver = async () => {
    const { status, progress, spent } = await redial.getExperiment({ experimentId });
    return status !== 'running' && (isCancelled || spent.calls === progress.done);
  };
  await engine.until(isOver, 1);
}

it('alignment, metrics, sessions and reactions are the same before and after any experiment', async () => {
  const before = await seen();
  expect(before.alignment.items).not.toHaveLength(0);
  await fc.assert(
    fc.asyncProperty(question, fc.boolean(), async (asked, isCancelled) => {
      await experimented(asked, isCancelled);
      expect(await seen()).toEqual(before);
    }),
    { numRuns: 15 },
  );
}, 120_000);
