import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { machinesProjection } from '../machines/machines.read-model.js';
import { projections } from '../projections.js';
import { TestParts } from '../testing/test-parts.js';
import { ProjectionBehind } from './wait-for-position.js';
import { type Projection, typesTaken } from './projection.js';

describe('the types of events that a projection takes', () => {
  it('are those it has a handler for, of all categories', () => {
    const on = {
      session: { SessionCreated: () => [], TransitionExecuted: undefined },
      specialist: { SpecialistEnabled: () => [] },
    };
    const onRuns = () => ({ WorkflowEnded: () => [] });
    expect(typesTaken({ on, onRuns })).toEqual(['SessionCreated', 'SpecialistEnabled', 'WorkflowEnded']);
  });

  it('cannot be named when it takes all of a category', () => {
    expect(typesTaken({ on: { session: () => [], specialist: {} } })).toBeUndefined();
    expect(typesTaken({ on: {}, onRuns: () => () => [] })).toBeUndefined();
  });
});

// A new version is filled beside the old one, so it cannot share a table with it.
it.each(projections)('the tables of the projection $name end in its version', ({ version, tables }) => {
  expect(tables.map(({ name }) => name).filter((name) => !name.endsWith(`_v${version}`))).toEqual([]);
});

describe('an event that a projection has no handler for', () => {
  const unread = { eventId: 'e', type: 'Unknown', data: 'no JSON', metadata: 'none' };
  let parts: TestParts;
  beforeEach(() => {
    parts = new TestParts();
  });
  afterEach(() => parts.close());

  async function take(projection: Projection): Promise<void> {
    const runner = parts.runner(await parts.openStore(), [projection]);
    await runner.start();
    await runner.caughtUpWithHead(20_000);
  }

  it('is passed over unread in a stream of somebody else, of a known type, or in a run', async () => {
    const { store } = parts.log;
    await store.append('other-machine-1', 'any', [{ ...unread, type: 'MachineDefined' }]);
    await store.append('redial_machine-1', 'any', [{ ...unread, type: 'SpecialistEnabled' }]);
    await store.append('redial_specialist-1', 'any', [unread]);
    await store.append('redial_planner-1', 'any', [unread]);
    await take({ ...machinesProjection, onRuns: () => ({ WorkflowStarted: () => [] }) });
  });

  it('stops the projection if only a newer build has its type', async () => {
    await parts.log.store.append('redial_machine-1', 'any', [unread]);
    await expect(take(machinesProjection)).rejects.toThrow(ProjectionBehind);
    await expect(take(machinesProjection)).rejects.toThrow(/Unknown at redial_machine-1 revision 0/);
  });
});
