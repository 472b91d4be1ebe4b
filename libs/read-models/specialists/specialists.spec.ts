import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type SpecialistEvent, specialistStreamId } from '#lib/decisions/specialists';
import { alignmentModel } from '../alignment/alignment.read-model.js';
import type { PlacedEvent } from '../testing/sample-log.js';
import { TestParts } from '../testing/test-parts.js';
import { specialistsModel } from './specialists.read-model.js';
import {
  getSpecialist,
  listSpecialists,
  listSpecialistVersions,
  specialistsOfMachine,
} from './specialists.queries.js';

const placed = (event: SpecialistEvent): PlacedEvent => ({
  category: 'specialist',
  id: specialistStreamId(event.data),
  event,
});
const alice = placed({
  type: 'ProposerRegistered',
  data: {
    specialistId: 'alice',
    machineName: 'review',
    version: 1,
    isHuman: true,
    personId: 'ann',
  },
});
const botName = { specialistId: 'bot', machineName: 'other' };
const botVersion = (version: number, over: object = {}) => {
  const execution = { contextTemplate: '{{state}}', modelId: `m${version}` };
  return placed({
    type: 'ProposerRegistered',
    data: { ...botName, version, isHuman: false, execution, ...over },
  });
};
const bot = botVersion(1);
const judge = placed({
  type: 'ArbiterRegistered',
  data: {
    specialistId: 'judge',
    machineName: 'review',
    version: 1,
    declared: true,
    execution: { strategyFnName: 's' },
    threshold: 0,
  },
});
const disabled = placed({ type: 'SpecialistDisabled', data: botName });
const enabled = placed({ type: 'SpecialistEnabled', data: botName });
const again = (version: number) =>
  placed({ type: 'SpecialistRegisteredAgain', data: { ...botName, version } });

let parts: TestParts;
beforeEach(() => {
  parts = new TestParts();
});
afterEach(() => parts.close());

it('shows specialists as they were registered', async () => {
  const { db } = await parts.project([alice, bot, judge], [specialistsModel, alignmentModel]);
  expect(await getSpecialist(db, { specialistId: 'alice' })).toEqual({
    role: 'proposer',
    specialistId: 'alice',
    machineName: 'review',
    version: 1,
    isHuman: true,
    personId: 'ann',
    enabled: true,
    alignment: [],
  });
  expect(await getSpecialist(db, { specialistId: 'bot' })).toMatchObject({
    contextTemplate: '{{state}}',
    modelId: 'm1',
  });
  expect(await getSpecialist(db, { specialistId: 'judge' })).toMatchObject({
    role: 'arbiter',
    strategyFnName: 's',
    threshold: 0,
  });
  expect(await getSpecialist(db, { specialistId: 'nobody' })).toMatchObject({ code: 'unknown-specialist' });
});

it.each([
  [[bot], true],
  [[bot, disabled], false],
  [[bot, disabled, enabled], true],
] as const)('shows whether they are enabled now (%#)', async (events, isEnabled) => {
  const { db } = await parts.project(events, [specialistsModel, alignmentModel]);
  expect(await getSpecialist(db, { specialistId: 'bot' })).toMatchObject({ enabled: isEnabled });
});

it('lists them by id, all or those of a machine or a role', async () => {
  const { db } = await parts.project([judge, bot, alice], [specialistsModel, alignmentModel]);
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
  const { db } = await parts.project([judge, bot, alice, disabled], [specialistsModel]);
  const reviewers = await specialistsOfMachine(db, 'review');
  expect(reviewers.map(({ specialistId }) => specialistId)).toEqual(['judge', 'alice']);
  expect(reviewers[0]).toEqual({
    role: 'arbiter',
    specialistId: 'judge',
    machineName: 'review',
    version: 1,
    isHuman: false,
    strategyFnName: 's',
    threshold: 0,
    enabled: true,
    standsAlone: false,
  });
  expect(await specialistsOfMachine(db, 'other')).toMatchObject([{ specialistId: 'bot', enabled: false }]);
  expect(await specialistsOfMachine(db, 'constructor')).toEqual([]);
});

it('X-T3: shows the version that was registered last, and each other by its number', async () => {
  const events = [bot, botVersion(2), again(1), again(2), again(1)];
  const { db } = await parts.project(events, [specialistsModel, alignmentModel]);
  expect(await getSpecialist(db, botName)).toMatchObject({ version: 1, modelId: 'm1' });
  expect(await getSpecialist(db, botName, 2)).toMatchObject({ version: 2, modelId: 'm2' });
  expect(await getSpecialist(db, botName, 3)).toMatchObject({ code: 'unknown-specialist' });
  expect(await listSpecialistVersions(db, botName)).toMatchObject({
    items: [
      { version: 1, modelId: 'm1', current: true, registeredAt: '2026-01-01T00:00:00.000Z' },
      { version: 2, modelId: 'm2', current: false },
    ],
    nextCursor: null,
  });
  expect(await listSpecialists(db)).toMatchObject({ items: [{ version: 1 }] });
});

it('X-T8: shows a version that was registered disabled as disabled, and as nothing that was asked before', async () => {
  const { db } = await parts.project([bot, disabled, botVersion(2, { disabled: true })], [specialistsModel]);
  const [one] = await specialistsOfMachine(db, 'other');
  expect(one).toMatchObject({ version: 2, enabled: false });
  expect(one).not.toHaveProperty('disabledPosition');
});

it('X-T9: an id of several machines is ambiguous until one of them is named', async () => {
  const other = placed({
    type: 'ProposerRegistered',
    data: { specialistId: 'bot', machineName: 'review', version: 1, isHuman: true },
  });
  const { db } = await parts.project([bot, other], [specialistsModel, alignmentModel]);
  expect(await getSpecialist(db, { specialistId: 'bot' })).toMatchObject({
    rejected: 'conflict',
    code: 'ambiguous',
    message: expect.stringContaining('other, review'),
    machines: ['other', 'review'],
  });
  expect(await getSpecialist(db, { specialistId: 'bot', machineName: 'review' })).toMatchObject({
    isHuman: true,
  });
  expect(await listSpecialists(db, {}, { limit: 1 })).toMatchObject({ items: [{ machineName: 'other' }] });
  const first = await listSpecialists(db, {}, { limit: 1 });
  const cursor = ('items' in first && first.nextCursor) || '';
  expect(await listSpecialists(db, {}, { cursor })).toMatchObject({ items: [{ machineName: 'review' }] });
});
