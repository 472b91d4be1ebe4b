import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { EventCodec, EventLog, InMemoryEventStore, StreamNames } from '#lib/event-store';
import { jsonText, randomIds } from '#lib/kernel';
import { WorkflowRunner } from '#lib/legacy-workflow';
import { ScriptedActivities, SettableClock } from '#lib/legacy-workflow/testing';
import { InMemoryLeases } from '#lib/workflow/testing';
import { llmCallRules } from '#lib/calls';
import { type SolicitationEvent, solicitationEventDefinitions } from './solicitation.events.js';
import { solicitation } from './solicitation.workflow.js';
import { ladder, ladderStart, samples } from './testing/index.js';

const envelope = { commandId: 'command', correlationId: 'session', causationId: 'asked', actor: 'redial' };

describe('a solicitation that the runner drives', () => {
  it.each(Object.entries(samples))('makes the history of the ladder: %s', async (_, { start, script }) => {
    const clock = new SettableClock();
    const log = new EventLog(
      new InMemoryEventStore(),
      new EventCodec([solicitationEventDefinitions, llmCallRules.definitions]),
      new StreamNames(),
    );
    const settings = { owner: 'a', leaseTtlMs: 60_000 };
    const runner = new WorkflowRunner(log, new InMemoryLeases(clock), clock, randomIds, settings);
    const stream = log.streams.of('solicitation', randomUUID());
    const metadata = { ...envelope, occurredAt: clock.now().toISOString() };
    await log.append(stream, 'no-stream', [{ eventId: randomUUID(), event: ladderStart(start), metadata }]);
    const activities = new ScriptedActivities<SolicitationEvent>(...script);
    await runner.run({ workflow: solicitation, stream, activities, envelope });
    const recorded = await log.readStream<SolicitationEvent>(stream);
    expect(jsonText(recorded.map(({ type, data }) => ({ type, data })))).toBe(
      jsonText(ladder(start).replies(...script)),
    );
    expect(activities.left).toBe(0);
  });
});
