import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { SpecialistEvent } from '#lib/specialist';
import { alignmentProjection } from '../alignment/alignment.projection.js';
import type { PlacedEvent } from '../testing/sample-log.js';
import { TestParts } from '../testing/test-parts.js';
import { specialistsProjection } from './specialists.projection.js';
import { getSpecialist, listSpecialists, specialistsOfMachine } from './specialists.queries.js';

const placed = (event: SpecialistEvent): PlacedEvent => ({
  category: 'specialist',
  id: event.data.specialistId,
  event,
});
const alice = placed({
  type: 'ProposerRegistered',
  data: {
    specialistId: 'alice',
    machineName: 'review',
    isHuman: true,
    actorTokenHash: 'secret',
  },
});
const bot = placed({
  type: 'ProposerRegistered',
  data: {
    specialistId: 'bot',
    machineName: 'other',
    isHuman: false,
    execution: { contextTemplate: '{{state}}', modelId: 'm' },
  },
});
const judge = placed({
  type: 'ArbiterRegistered',
  data: { specialistId: 'judge', machineName: 'review', execution: { strategyFnName: 's' }, threshold: 0 },
});
const disabled = placed({ type: 'SpecialistDisabled', data: { specialistId: 'bot' } });
const enabled = placed({ type: 'SpecialistEnabled', data: { specialistId: 'bot' } });

let parts: TestParts;
beforeEach(() => {
  parts = new TestParts();
});
afterEach(() => parts.close());

it('shows specialists as they were registered, and never what proves who they are', async () => {
  const { db } = await parts.project([alice, bot, judge], [specialistsProjection, alignmentProjection]);
  expect(await getSpecialist(db, 'alice')).toEqual({
    role: 'proposer',
    specialistId: 'alice',
    machineName: 'review',
    isHuman: true,
    enabled: true,
    alignment: [],
  });
  expect(await getSpecialist(db, 'bot')).toMatchObject({ contextTemplate: '{{state}}', modelId: 'm' });
  expect(await getSpecialist(db, 'judge')).toMatchObject({
    role: 'arbiter',
    strategyFnName: 's',
    threshold: 0,
  });
  expect(await getSpecialist(db, 'nobody')).toBeUndefined();
});

it.each([
  [[bot], true],
  [[bot, disabled], false],
  [[bot, disabled, enabled], true],
] as const)('shows whether they are enabled now (%#)', async (events, isEnabled) => {
  const { db } = await parts.project(events, [specialistsProjection, alignmentProjection]);
  expect(await getSpecialist(db, 'bot')).toMatchObject({ enabled: isEnabled });
});

it('lists them by id, all or those of a machine or a role', async () => {
  const { db } = await parts.project([judge, bot, alice], [specialistsProjection, alignmentProjection]);
  const ids = async (
    ...filter: Parameters<typeof listSpecialists> extends [unknown, ...infer R] ? R : never
  ) => {
    const page = await listSpecialists(db, ...filter);
    return 'items' in page ? page.items.map(({ specialistId }) => specialistId) : page;
  };
  expect(await ids()).toEqual(['alice', 'bot', 'judge']);
  expect(await ids({ machineName: 'review' })).toEqual(['alice', 'judge']);
  expect(await ids({ machineName: 'review', role: 'arbiter' })).toEqual(['judge']);
});

it('gives those of a machine in the order in which they were registered', async () => {
  const { db } = await parts.project([judge, bot, alice, disabled], [specialistsProjection]);
  const reviewers = await specialistsOfMachine(db, 'review');
  expect(reviewers.map(({ specialistId }) => specialistId)).toEqual(['judge', 'alice']);
  expect(reviewers[0]).toEqual({
    role: 'arbiter',
    specialistId: 'judge',
    machineName: 'review',
    isHuman: false,
    strategyFnName: 's',
    threshold: 0,
    enabled: true,
  });
  expect(await specialistsOfMachine(db, 'other')).toMatchObject([{ specialistId: 'bot', enabled: false }]);
  expect(await specialistsOfMachine(db, 'constructor')).toEqual([]);
});
