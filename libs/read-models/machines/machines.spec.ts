import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type PlacedEvent, sampleMachine } from '../testing/sample-log.js';
import { TestParts } from '../testing/test-parts.js';
import { machinesModel, getMachine, listMachines } from './machines.read-model.js';

function defined(machineName: string, version: number): PlacedEvent {
  const definition = { ...sampleMachine, machineName, consensusThreshold: version / 10 };
  const data = { machineName, version, hash: `${machineName}-${version}`, definition };
  return { category: 'machine', id: machineName, event: { type: 'MachineDefined', data } };
}

let parts: TestParts;
beforeEach(() => {
  parts = new TestParts();
});
afterEach(() => parts.close());

it('shows the latest version of a machine, or the one that is named', async () => {
  const { db } = await parts.project([defined('a', 1), defined('a', 2)], [machinesModel]);
  expect(await getMachine(db, 'a')).toEqual(defined('a', 2).event.data);
  expect(await getMachine(db, 'a', 1)).toEqual(defined('a', 1).event.data);
  expect(await getMachine(db, 'a', 3)).toBeUndefined();
  expect(await getMachine(db, 'constructor')).toBeUndefined();
});

it('keeps the order of the members of a machine', async () => {
  const { db } = await parts.project([defined('a', 1)], [machinesModel]);
  const machine = await getMachine(db, 'a');
  expect(JSON.stringify(machine?.definition)).toBe(
    JSON.stringify((defined('a', 1).event.data as { definition: object }).definition),
  );
});

it('lists the latest version of each machine by name', async () => {
  const events = [defined('b', 1), defined('a', 1), defined('c', 1), defined('b', 2)];
  const { db } = await parts.project(events, [machinesModel]);
  const versions = (page: Awaited<ReturnType<typeof listMachines>>) =>
    'items' in page ? page.items.map(({ hash }) => hash) : page;
  const first = await listMachines(db, { limit: 2 });
  expect(versions(first)).toEqual(['a-1', 'b-2']);
  const cursor = ('items' in first && first.nextCursor) || '';
  expect(versions(await listMachines(db, { cursor }))).toEqual(['c-1']);
});
