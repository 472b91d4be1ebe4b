import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type GateCreated, type GateDeleted, gateEventDefinitions } from './gate.events.js';
import { openLog, type PlacedEvent, TestParts } from '#lib/read-models/testing';
import { gatesModel, getGate, listGates } from './gates.read-model.js';

function created(gateId: string, version: number): PlacedEvent & { readonly event: GateCreated } {
  const definition = { gateId, choices: { pass: {}, constructor: { description: 'odd \ud800\0' } } };
  const data = { gateId, version, machineVersion: version + 1, definition };
  return { category: 'gate', id: gateId, event: { type: 'GateCreated', data } };
}

function deleted(gateId: string): PlacedEvent & { readonly event: GateDeleted } {
  return { category: 'gate', id: gateId, event: { type: 'GateDeleted', data: { gateId } } };
}

let parts: TestParts;
beforeEach(() => {
  parts = new TestParts(openLog(undefined, [gateEventDefinitions]));
});
afterEach(() => parts.close());

it('shows the latest version of a gate, with its choices in their order', async () => {
  const { db } = await parts.project([created('a', 1), created('a', 2)], [gatesModel]);
  expect(JSON.stringify(await getGate(db, 'a'))).toBe(JSON.stringify(created('a', 2).event.data));
  expect(await getGate(db, 'constructor')).toBeUndefined();
});

it('shows no deleted gate until it is created again', async () => {
  const { db } = await parts.project(
    [created('a', 1), deleted('a'), created('b', 1), deleted('b'), created('b', 2)],
    [gatesModel],
  );
  expect(await getGate(db, 'a')).toBeUndefined();
  expect(await listGates(db)).toEqual({ items: [created('b', 2).event.data], nextCursor: null });
});

it('lists gates by id, page by page', async () => {
  const events = [created('b', 1), created('a', 1), created('c', 1)];
  const { db } = await parts.project(events, [gatesModel]);
  const first = await listGates(db, { limit: 2 });
  expect(first).toMatchObject({ items: [{ gateId: 'a' }, { gateId: 'b' }] });
  const cursor = ('items' in first && first.nextCursor) || '';
  expect(await listGates(db, { cursor })).toMatchObject({ items: [{ gateId: 'c' }], nextCursor: null });
});
