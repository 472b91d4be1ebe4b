import { beforeEach, describe, expect, it } from '@jest/globals';
import { EventCodec, EventLog, InMemoryEventStore, StreamNames } from '#lib/event-store';
import { type Event, type RecordedEvent, randomIds } from '#lib/kernel';
import type { Owner } from '#lib/workflow';
import { Origins } from './origin.js';

type Started = Event<'WorkflowStarted' | 'TaskClaimed', { readonly owner?: Owner; readonly fork?: string }>;

const ofOwner = {
  version: 1,
  members: {
    owner: { stream: 'structure', run: 'structure', workflow: 'structure', stepId: 'structure' },
    fork: 'structure',
  },
} as const;
const started = { WorkflowStarted: ofOwner, TaskClaimed: ofOwner } as const;

describe('the origin of a run', () => {
  let log: EventLog;

  beforeEach(() => {
    log = new EventLog(new InMemoryEventStore(), new EventCodec([started]), new StreamNames());
  });

  const begin = async (workflow: string, owner?: Owner, fork?: string) => {
    const run = randomIds.next();
    const stream = log.streams.of(workflow, run);
    const commandId = randomIds.next();
    const metadata = {
      commandId,
      causationId: commandId,
      occurredAt: '2026-01-02T03:04:05.000Z',
      correlationId: run,
      actor: 'operator',
    };
    const type = workflow === 'task' ? 'TaskClaimed' : 'WorkflowStarted';
    const event: Started = { type, data: { ...(owner && { owner }), ...(fork !== undefined && { fork }) } };
    await log.append<Started>(stream, 'no-stream', [{ eventId: randomIds.next(), event, metadata }]);
    const [recorded] = (await log.load(stream)).events;
    return { run, isLive: await new Origins(log).isLive(recorded as RecordedEvent) };
  };

  it.each([
    ['experiment_batch', 'experiment-of-prompts'],
    ['evaluation_run', 'evaluation-of-clerk'],
  ])('of %s and of what it asks is not live: it is for %s', async (workflow, stream) => {
    const { run, isLive } = await begin(workflow, { stream });
    const below = await begin('solicitation', { run, workflow, stepId: '0' });
    expect([isLive, below.isLive]).toEqual([false, false]);
  });

  it.each([
    ['a fork', 'hold', false],
    ['a run that is none', undefined, true],
  ])('gives that of what people do with a task of %s', async (_, fork, isLive) => {
    const { run } = await begin('delivery', undefined, fork);
    const claimed = await begin('task', { stream: `delivery-${run}` });
    expect(claimed.isLive).toBe(isLive);
  });

  it('that sends a recorded request again is not live', async () => {
    expect((await begin('llm_try')).isLive).toBe(false);
  });

  it('that nothing owns, and of what it starts, is live', async () => {
    const { run, isLive } = await begin('delivery');
    const below = await begin('parcel', { run, workflow: 'delivery', stepId: '0' });
    expect([isLive, below.isLive]).toEqual([true, true]);
  });
});
