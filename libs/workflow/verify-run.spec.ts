import { describe, expect, it } from '@jest/globals';
import type { Activity } from './activity/activity.js';
import { ActivityRegistry } from './activity/activity-registry.js';
import { StreamHistory } from '#lib/event-store';
import { type Event, jsonText, type RecordedEvent, sha256 } from '#lib/kernel';
import { call, count, noted, plainWorkflow } from './testing/plain-workflow.js';
import { echoActivity, echoed } from './testing/echo.activity.js';
import { purchase } from './testing/purchase.workflow.js';
import { RunHistory } from './testing/run-history.js';
import { recomputeRun } from './recompute-run.js';
import { verifyRun } from './verify-run.js';
import type { Seen, Step, Workflow } from './workflow.js';

const activities = [echoActivity()];
const registry = new ActivityRegistry(activities);
const verify = (workflow: Workflow, events: readonly RecordedEvent[], context?: readonly RecordedEvent[]) =>
  verifyRun(workflow, registry, renumbered(events), new StreamHistory(context));

function renumbered(events: readonly RecordedEvent[]): RecordedEvent[] {
  return events.map((event, revision) => ({ ...event, revision }));
}

function changed(events: readonly RecordedEvent[], revision: number, event: Partial<Event>): RecordedEvent[] {
  return events.map((one) => (one.revision === revision ? { ...one, ...event } : one));
}

const bought = RunHistory.of(purchase, { input: { item: 'chair' }, activities })
  .answer('quote#1', echoed({ input: 1 }))
  .signal('approval', 'yes').events;

describe('a recorded run', () => {
  it('is derived again, equal in every derived event', () => {
    expect(verify(purchase, bought)).toEqual({ derived: 4, external: 3, open: false });
    expect(verify(purchase, bought.slice(0, 4))).toEqual({ derived: 2, external: 2, open: true });
    expect(verify(purchase, [])).toEqual({ derived: 0, external: 0, open: true });
  });

  it.each([
    { revision: 1, data: { stepId: 'quote#1', input: { item: 'table' } }, pointer: '/data/input/item' },
    { revision: 2, data: { stepId: 'quote#1', output: 2, sha256: sha256('1') }, pointer: '/data/sha256' },
    { revision: 2, data: { stepId: 'quote#2' }, pointer: '/type' },
    { revision: 3, data: { price: 6 }, pointer: '/data/price' },
    { revision: 4, data: { stepId: 'approval', signal: 'decline' }, pointer: '/data/signal' },
    { revision: 5, data: { stepId: 'approval', signal: 'decline', payload: 1 }, pointer: '/type' },
    { revision: 6, data: { status: 'failed' }, pointer: '/data/status' },
  ])('diverges exactly at the event that was changed: $revision $data', ({ revision, data, pointer }) => {
    const { divergence } = verify(purchase, changed(bought, revision, { data }));
    expect(divergence).toMatchObject({ revision, pointer });
  });

  it('diverges when the input of the start event was changed at the first event that uses it', () => {
    const start = { ...bought[0]?.data, input: { item: 'table' } };
    expect(verify(purchase, changed(bought, 0, { data: start })).divergence).toMatchObject({ revision: 1 });
  });

  it('names the steps that were open before the event that diverges', () => {
    const waitingAt = (revision: number, event: Partial<Event>) =>
      verify(purchase, changed(bought, revision, event)).divergence?.waiting;
    expect(waitingAt(1, { data: {} })).toBeUndefined();
    expect(waitingAt(2, { data: { stepId: 'quote#2' } })).toEqual(['quote#1 (echo)']);
    expect(waitingAt(5, { type: 'PriceChecked' })).toEqual(['approval (signal approve)']);
    expect(waitingAt(6, { data: {} })).toBeUndefined();
  });

  it('names at most 20 open steps, oldest first', () => {
    const open = Array.from({ length: 30 }, (_, index) => call(`call#${index}`));
    const many = plainWorkflow(() => open);
    const { events } = RunHistory.of(many, { input: null, activities });
    const last = { ...(events.at(-1) as RecordedEvent), revision: events.length };
    const { divergence } = verify(many, [...events, last]);
    expect(divergence).toMatchObject({ revision: 31 });
    expect(divergence?.waiting).toEqual(Array.from({ length: 20 }, (_, index) => `call#${index} (echo)`));
  });

  it('diverges when an event is missing or comes twice', () => {
    for (const [index, event] of bought.entries()) {
      const twice = [...bought.slice(0, index + 1), event, ...bought.slice(index + 1)];
      expect(verify(purchase, twice).divergence).toMatchObject({ revision: index + 1 });
    }
    for (const index of bought.slice(1).keys()) {
      const without = [...bought.slice(0, index), ...bought.slice(index + 1)];
      expect(verify(purchase, without).divergence).toMatchObject({ revision: index });
    }
  });

  it('diverges at a start with a version that is not known, and at a stream that starts otherwise', () => {
    const start = { ...bought[0]?.data, version: 9 };
    expect(verify(purchase, changed(bought, 0, { data: start })).divergence).toMatchObject({ revision: 0 });
    expect(verify(purchase, bought.slice(1)).divergence).toMatchObject({ replayed: 'WorkflowStarted' });
  });

  it('diverges when pure code throws on damaged data', () => {
    const start = { ...bought[0]?.data, input: null };
    expect(verify(purchase, changed(bought, 0, { data: start })).divergence).toMatchObject({
      revision: 0,
      pointer: '',
    });
  });

  it('is not checked after it was given up', () => {
    const givenUp = { ...(bought[4] as RecordedEvent), type: 'WorkflowGivenUp', data: {} };
    const events = [...bought.slice(0, 4), givenUp, ...bought.slice(5)];
    expect(verify(purchase, events)).toEqual({ derived: 2, external: 3, open: false });
  });
});

describe('what is computed again', () => {
  const workflow = plainWorkflow(() => [call('a'), call('b')]);
  const { events } = ['a', 'b'].reduce(
    (history, id) => history.answer(id, echoed({ input: id })),
    RunHistory.of(workflow, { input: {}, activities }),
  );
  const recomputed = (given: Partial<Activity>, signal?: AbortSignal) =>
    recomputeRun(
      { derived: 0, external: 0, open: false },
      new ActivityRegistry([{ ...echoActivity(), ...given }]),
      events,
      signal,
    );

  it('is compared; what another build computed is not', async () => {
    const same = await recomputed({ recompute: async (_, completed) => completed });
    expect(same).toMatchObject({ recomputed: 2, notRecomputed: 0 });
    const other = await recomputed({ recompute: async () => undefined });
    expect(other).toMatchObject({ recomputed: 0, notRecomputed: 2 });
    const wrong = await recomputed({ recompute: async (_, completed) => ({ ...completed, output: 1 }) });
    expect(wrong.divergence).toMatchObject({ pointer: '/data/output' });
  });

  it('has one bound of time for all outcomes: the remaining ones are taken as recorded', async () => {
    const limit = new AbortController();
    const recompute: Activity['recompute'] = async (_, completed) => {
      limit.abort();
      return completed;
    };
    expect(await recomputed({ recompute }, limit.signal)).toMatchObject({ recomputed: 1, notRecomputed: 1 });
  });
});

describe('while a call waits for its slot', () => {
  const steps: readonly Step[] = [
    call('a'),
    call('b'),
    { do: 'timer', id: 't', afterMs: 1 },
    call('c'),
    noted('n'),
  ];
  const workflow = plainWorkflow((events) => (count(events, 'Noted') ? steps.slice(0, -1) : steps));
  const [start, a, b, t, c, n] = RunHistory.of(workflow, { input: {}, activities }).events;
  const order = (...events: (RecordedEvent | undefined)[]) =>
    verify(workflow, [start, ...events] as RecordedEvent[]).divergence?.revision;

  it('later calls and the timer may pass it', () => {
    expect(order(a, b, t, c, n)).toBeUndefined();
    expect(order(b, a, t, c, n)).toBeUndefined();
    expect(order(t, c, b, a, n)).toBeUndefined();
  });

  it('the call behind the timer may not pass the timer, nor pass the steps before it alone', () => {
    expect(order(c)).toBe(1);
    expect(order(b, c)).toBe(2);
  });

  it('a record passes nothing', () => {
    expect(order(n)).toBe(1);
    expect(order(a, t, c, n)).toBe(4);
  });

  it('an outcome may come between any two of them', () => {
    const outcome = RunHistory.of(workflow, { input: {}, activities }).answer('a', echoed({ input: 'a' }));
    const completed = outcome.events.at(-1) as RecordedEvent;
    expect(order(a, completed, b, t, c, n)).toBeUndefined();
    expect(order(t, a, c, completed, b, n)).toBeUndefined();
    expect(order(completed, a)).toBe(1);
  });
});

describe('a run that uses another stream', () => {
  const next = (events: readonly Seen[]) => [call('a', String(events.length > 0))];
  const plain = plainWorkflow(next);
  const rules = plain.versions[1];
  const workflow = {
    ...plain,
    versions: {
      1: { ...rules, contextOf: ({ events: used }: StreamHistory) => used.map(({ type }) => type) },
    },
  } as Workflow;
  const contextEvents = bought.slice(0, 2);
  const { events } = RunHistory.of(workflow, { input: {}, activities, contextEvents });

  it('refers to it by revision and hash, and diverges at its start when that stream says something else', () => {
    expect(events[0]?.data).toMatchObject({ context: { revision: 1, sha256: expect.any(String) } });
    expect(verify(workflow, events, contextEvents).divergence).toBeUndefined();
    const { divergence } = verify(workflow, events, bought.slice(1, 2));
    expect(divergence).toMatchObject({
      revision: 0,
      pointer: '/data/context/sha256',
      replayed: sha256(jsonText(['EchoRequested'])),
    });
  });
});
