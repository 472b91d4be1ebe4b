import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { normalizeMachine } from '#lib/decisions/machines';
import { type SpecialistEvent, specialistStreamId } from '#lib/decisions/specialists';
import { ReadSide, WrittenPosition } from '#lib/operations/core';
import type { ReadStore } from '#lib/read-models';
import { appendAll, TestParts } from '#lib/read-models/testing';
import { Participants } from './participants.js';

const LONG_MS = 20_000;
const machineName = 'support';
const states = { triage: { transitions: { close: 'closed' } }, closed: {} };
const machine = normalizeMachine({ machineName, initialState: 'triage', goalState: 'closed', states });
const session = { machineName, machine, machineVersion: 1, specialistVersions: {}, currentState: 'triage' };

function proposer(specialistId: string, version = 1): SpecialistEvent {
  const execution = { contextTemplate: '{{state}}', modelId: `m${version}` };
  const data = { specialistId, machineName, version, isHuman: false, execution };
  return { type: 'ProposerRegistered', data };
}

describe('who takes part', () => {
  let parts: TestParts;
  let store: ReadStore;
  let written: WrittenPosition;
  let appended = 0;
  beforeEach(async () => {
    parts = new TestParts();
    store = await parts.openStore();
    written = new WrittenPosition();
    appended = 0;
  });
  afterEach(() => parts.close());

  const placedOf = (event: SpecialistEvent) =>
    ({ category: 'specialist', id: specialistStreamId(event.data), event }) as const;

  async function append(event: SpecialistEvent): Promise<string> {
    const position = await appendAll(parts.log, [placedOf(event)], appended++);
    written.note(position, [event]);
    return position;
  }

  /** The versions of the specialists, and the number of statements that read rows for them. */
  function asking(runner = parts.runner(store)) {
    const participants = new Participants(new ReadSide(runner, written, LONG_MS), store);
    const statements = jest.spyOn(store.db, 'withTables');
    return async (roundBegan?: string) => {
      statements.mockClear();
      const { registered } = await participants.of(session, { roundBegan, decides: true });
      const versions = registered.map(({ specialistId, version }) => `${specialistId} ${version}`);
      return { versions, hasRead: statements.mock.calls.length > 0 };
    };
  }

  it('is read once for a round, until rows of specialists change', async () => {
    const runner = parts.runner(store);
    await runner.start();
    // Until the rows have caught up, each call reads them.
    while (runner.changedAt(['specialists']) === undefined) await setImmediate();
    const began = await append(proposer('clerk'));
    const ask = asking(runner);
    expect(await ask(began)).toEqual({ versions: ['clerk 1'], hasRead: true });
    expect(await ask(began)).toEqual({ versions: ['clerk 1'], hasRead: false });
    expect(await ask()).toEqual({ versions: ['clerk 1'], hasRead: true });
    await append(proposer('clerk', 2));
    expect(await ask()).toEqual({ versions: ['clerk 2'], hasRead: true });
    expect(await ask(began)).toEqual({ versions: ['clerk 1'], hasRead: true });
    expect(await ask(began)).toEqual({ versions: ['clerk 1'], hasRead: false });
  });

  it('has the versions of the beginning of the round also where another process was first to make rows of a newer one', async () => {
    const runner = parts.runner(store);
    await runner.start();
    const began = await append(proposer('clerk'));
    const ask = asking(runner);
    await runner.waitFor(runner.names, began, LONG_MS);
    const other = await parts.openStore();
    const others = parts.runner(other);
    await others.start();
    const position = await appendAll(parts.log, [placedOf(proposer('clerk', 2))], appended++);
    await others.waitFor(others.names, position, LONG_MS);
    expect((await ask(began)).versions).toEqual(['clerk 1']);
  });

  it('is read each time in a process that does not make the rows', async () => {
    await parts.runner(store).start();
    await append(proposer('clerk'));
    const ask = asking();
    expect(await ask()).toEqual({ versions: ['clerk 1'], hasRead: true });
    expect(await ask()).toEqual({ versions: ['clerk 1'], hasRead: true });
  });
});
