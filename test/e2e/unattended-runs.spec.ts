import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
import { ScriptedLlmServer, toolCall } from '#lib/activities/testing';
import type { StoredEvent } from '#lib/event-store';
import type { EventMetadata } from '#lib/kernel';
import type { Workflow } from '#lib/workflow';
import { door } from '../support/door.js';
import { startEngine, type TestEngine } from '../support/engine.js';
import { idOfBefore } from '../support/id-of-before.js';
import { inMemory } from '../support/places/place.js';
import { placeWith } from '../support/places/place-with.js';
import { obstacle, stumbling } from '../support/stumbling.workflow.js';
import { untilEvent } from '../support/until-event.js';

const LONG_AGO = '2026-01-02T03:04:05.000Z';

/** The event as one of a process of an earlier release that has been gone for long. */
function aged(event: StoredEvent): StoredEvent {
  const metadata = JSON.parse(event.metadata) as EventMetadata;
  const causationId = idOfBefore(metadata.causationId ?? '');
  const said = JSON.stringify({ ...metadata, causationId, occurredAt: LONG_AGO });
  return { ...event, eventId: idOfBefore(event.eventId), metadata: said };
}

describe('a run that the process after a restart cannot continue', () => {
  let llm: ScriptedLlmServer;
  beforeEach(async () => {
    obstacle.isThere = true;
    llm = await ScriptedLlmServer.start(() => toolCall('push', { hard: true }));
  });
  afterEach(async () => {
    await llm.close();
  });

  const start = async (place: object, workflows: readonly Workflow[] = []) =>
    startEngine([], { ...place, workflows, llm: { baseUrl: llm.baseUrl }, recoveryIntervalMs: 20 });
  const eventsOf = (engine: TestEngine) => engine.log.store.readAll({ limit: 1_000 });

  async function setAside(engine: TestEngine) {
    for (;;) {
      const { items } = await engine.redial.listRecovery();
      if (items[0]) return items[0];
      await setImmediate();
    }
  }

  it('0.2-O2: is listed when no process has its workflow, with what it needs, and can be given up', async () => {
    const first = await start(inMemory, [stumbling]);
    await first.redial.startRun({ workflow: 'stumbling', input: {} });
    const events = await eventsOf(first);
    await first.stop();
    const engine = await start(await placeWith({ dataDir: temporaryFolder() }, events.map(aged), 'redial_'));
    const item = await setAside(engine);
    expect(item).toMatchObject({
      workflow: 'stumbling',
      needs: 'workflow stumbling, version 1',
      failure: expect.stringMatching(/^\[MissingRules\]/),
      attempts: expect.any(Number),
      status: 'set-aside',
    });
    const { stream } = item;
    expect(await engine.redial.retryRecovery({ stream })).toMatchObject({ attempts: item.attempts + 1 });
    expect(await engine.redial.giveUpRecovery({ stream })).toMatchObject({ status: 'given-up' });
    expect(await engine.redial.listRecovery()).toMatchObject({ items: [] });
    const [{ type } = { type: '' }] = (await eventsOf(engine)).slice(-1);
    expect(type).toBe('WorkflowGivenUp');
    await engine.stop();
  });

  it('0.2-O7: is listed when its request of a model was emptied, without a proposal, an event or a call; 0.2-O5: given up, its session says so', async () => {
    const first = await start(inMemory);
    await first.redial.defineMachine(door);
    const { sessionId } = await first.redial.createSession({ machineName: 'door' });
    await first.redial.submitProposal({ sessionId, specialistId: 'doorman' });
    const whole = await eventsOf(first);
    await first.stop();
    const calls = llm.requests.length;
    const answered = whole.findIndex(({ type }) => type === 'LlmCallCompleted');
    const damaged = whole
      .slice(0, answered + 1)
      .map((event) => aged(event.type === 'LlmCallRequested' ? { ...event, data: '{}' } : event));
    const engine = await start(await placeWith({ dataDir: temporaryFolder() }, damaged, 'redial_'));
    const { stream, ...item } = await setAside(engine);
    expect(item).toMatchObject({
      workflow: 'solicitation',
      failure: expect.stringMatching(
        /^\[DamagedRun\] .*: LlmCallRequested at revision \d+ is not the event that belongs there/,
      ),
    });
    expect(await eventsOf(engine)).toHaveLength(damaged.length);
    expect(llm.requests).toHaveLength(calls);
    await engine.redial.giveUpRecovery({ stream });
    const { data } = await untilEvent(engine.log, ({ type }) => type === 'ProposalFailed');
    expect(data).toMatchObject({ failure: { kind: 'given-up' } });
    await engine.stop();
  });
});
