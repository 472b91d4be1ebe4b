import { expect, it } from '@jest/globals';
import { id, type PlacedEvent, sampleMachine, sessionCreated } from '../testing/sample-log.js';
import { TestParts } from '../testing/test-parts.js';
import { commandsProjection, findCommand } from './commands.read-model.js';

it('finds the stream of a command on a machine or specialist, from its first event on', async () => {
  const parts = new TestParts();
  const metadata = { commandId: 'twice', commandFingerprint: 'print' };
  const machine = (n: number): PlacedEvent => ({
    category: 'machine',
    id: 'm',
    event: {
      type: 'MachineDefined',
      data: { machineName: 'm', version: n, hash: '', definition: sampleMachine },
    },
    metadata: n === 1 ? {} : metadata,
  });
  const { db } = await parts.project(
    [
      machine(1),
      machine(2),
      machine(3),
      {
        category: 'session',
        id: id('s'),
        event: sessionCreated(id('s')),
        metadata: { commandId: 'session' },
      },
    ],
    [commandsProjection],
  );
  expect(await findCommand(db, 'twice')).toEqual({
    commandId: 'twice',
    fingerprint: 'print',
    stream: 'redial_machine-m',
    firstRevision: 1,
  });
  for (const unknown of ['session', 'other']) expect(await findCommand(db, unknown)).toBeUndefined();
  await parts.close();
});
