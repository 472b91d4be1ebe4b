import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Test, type TestingModule } from '@nestjs/testing';
import { EventLog, type StreamCategory } from '#lib/event-store';
import { RedialModule } from './module/redial.module.js';
import { Redial } from './redial.js';

describe('rows of streams that stand still', () => {
  let dataDir: string;
  let app: TestingModule;
  let redial: Redial;
  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'redial-still-'));
    app = await Test.createTestingModule({ imports: [RedialModule.forRoot({ dataDir })] }).compile();
    await app.init();
    redial = app.get(Redial);
  });
  afterEach(async () => {
    await app.close();
    rmSync(dataDir, { recursive: true });
  });

  /** An event that cannot be decoded begins a stream. */
  async function bad(category: StreamCategory, id: string, type: string) {
    const { store, streams } = app.get(EventLog);
    const event = { eventId: `bad ${id}`, type, data: '[]', metadata: '{"schemaVersion":1}' };
    return store.append(streams.of(category, id), 'no-stream', [event]);
  }

  it('make no gate unknown: its status cannot be answered either', async () => {
    const { position: minPosition } = await bad('gate', 'broken', 'GateCreated');
    for (const asked of [
      redial.getGate({ gateId: 'broken', minPosition }),
      redial.getGateStatus({ gateId: 'broken', minPosition }),
    ])
      await expect(asked).rejects.toThrow(/\[StreamStandsStill\] the rows of redial_gate-broken stand still/);
    await expect(redial.getGateStatus({ gateId: 'none' })).rejects.toThrow(/none/);
  });

  it('are counted in the lists that should show them, and in no other', async () => {
    await redial.registerPerson({ personId: 'ann', role: 'reviewer' });
    expect(await redial.listPeople({})).not.toHaveProperty('standsStill');
    await bad('gate', 'one', 'GateCreated');
    await bad('person', 'bob', 'PersonRegistered');
    const { position: minPosition } = await bad('person', 'eve', 'PersonRegistered');
    const people = { items: [{ personId: 'ann' }], nextCursor: null, standsStill: 2 };
    expect(await redial.listPeople({ minPosition })).toMatchObject(people);
    expect(await redial.listGates({ minPosition })).toMatchObject({ items: [], standsStill: 1 });
    expect(await redial.listTools({ minPosition })).toEqual({ items: [], nextCursor: null });
  });
});
