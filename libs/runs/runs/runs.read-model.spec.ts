import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DeclaredEvents } from '#lib/event-store';
import type { Event } from '#lib/kernel';
import { id, openLog, type PlacedEvent, TestParts } from '#lib/read-models/testing';
import { ActivityRegistry, type RunRequests } from '#lib/workflow';
import { runsModel } from './runs.read-model.js';
import { openRuns, runRequests, runs } from './runs.tables.js';

const runId = id('clock');
const asks = { asks: runId };
const requests: RunRequests = {
  category: 'session',
  workflow: 'planner',
  askedBy: ({ data }) => (data as Partial<typeof asks>).asks,
  takenBy: () => undefined,
  withdrawnBy: ({ type }) => (type === 'Withdrew' ? [runId] : []),
};
const definitions: DeclaredEvents<Event> = {
  Asked: { version: 1, members: { asks: 'structure' } },
  Withdrew: { version: 1, members: {} },
  Noted: { version: 1, members: {} },
};

const ofOwner = (type: string, data: object = {}): PlacedEvent => ({
  category: 'session',
  id: 's',
  event: { type, data },
});
const ofRun = (event: Event): PlacedEvent => ({ category: 'planner', id: runId, event });
const owner = { stream: 'session-s' };
const start = { workflow: 'planner', version: 1, input: null, facts: {}, owner };
const asked = ofOwner('Asked', asks);
const withdrew = ofOwner('Withdrew');
const started = ofRun({ type: 'WorkflowStarted', data: start });
const awaited = ofRun({ type: 'SignalAwaited', data: { stepId: 'ok', signal: 'approval' } });
const noted = ofRun({ type: 'Noted', data: {} });
const cancelled = [
  ofRun({ type: 'RunCancelRequested', data: {} }),
  ofRun({ type: 'WorkflowEnded', data: { status: 'cancelled' } }),
];

describe('the rows of a run that its owner withdraws', () => {
  let parts: TestParts;
  beforeEach(() => {
    parts = new TestParts(openLog(undefined, [definitions]));
  });
  afterEach(() => parts.close());

  async function rowsAfter(events: readonly PlacedEvent[]) {
    const model = runsModel(new ActivityRegistry([]), [requests]);
    const { db } = await parts.project(events, [model]);
    const all = (table: string) =>
      db.withTables<Record<string, Record<string, unknown>>>().selectFrom(table).selectAll().execute();
    const [[run], open, requested] = await Promise.all([
      all(runs.table.name),
      all(openRuns.table.name),
      all(runRequests.table.name),
    ]);
    const { status, open_stream: stream, due_at: dueAt, is_timed: isTimed } = run ?? {};
    return { status, stream, dueAt, isTimed, open, requested };
  }
  const atRest = { status: 'cancelled', stream: null, dueAt: null, isTimed: 0, open: [], requested: [] };

  it.each([
    ['before its start', [asked, withdrew, started]],
    ['after its start', [asked, started, withdrew]],
  ])('are at rest once it is cancelled: withdrawn %s', async (_, events) => {
    expect(await rowsAfter([...events, ...cancelled])).toEqual(atRest);
  });

  it('wake a driver at once and not when its timer is due', async () => {
    const timed = [asked, started, ofRun({ type: 'TimerStarted', data: { stepId: 't', afterMs: 60_000 } })];
    const { dueAt, isTimed } = await rowsAfter(timed);
    expect(dueAt).toBeGreaterThan(0);
    expect(isTimed).toBe(1);
    await parts.close();
    parts = new TestParts(openLog(undefined, [definitions]));
    expect(await rowsAfter([...timed, withdrew])).toMatchObject({ dueAt: 0, isTimed: 0 });
  });

  it('wake a driver that cancels it, if it starts after that', async () => {
    expect(await rowsAfter([asked, withdrew, started])).toMatchObject({ status: 'running', dueAt: 0 });
  });

  it.each([
    ['before its start', [asked, withdrew, started]],
    ['after its start', [asked, started, withdrew]],
    ['after it has waited', [asked, started, awaited, withdrew]],
  ])('wake a driver until it has ended, whatever it records meanwhile: withdrawn %s', async (_, events) => {
    expect(await rowsAfter([...events, noted])).toMatchObject({ status: 'running', dueAt: 0 });
  });

  it('stay open after its end if it is not withdrawn: the owner has yet to take that in', async () => {
    expect(await rowsAfter([asked, started, ...cancelled])).toMatchObject({ dueAt: 0, open: [{}] });
  });
});
