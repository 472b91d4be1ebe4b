import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Test, type TestingModule } from '@nestjs/testing';
import { EventLog, type StreamCategory } from '#lib/event-store';
import { RedialModule } from './module/redial.module.js';
import { Redial } from './redial.js';

describe('rows of streams that stand still', () => {
  let app: TestingModule;
  let redial: Redial;
  beforeEach(async () => {
    app = await Test.createTestingModule({
      imports: [RedialModule.forRoot({ storage: 'memory' })],
    }).compile();
    await app.init();
    redial = app.get(Redial);
  });
  afterEach(async () => {
    await app.close();
  });

  /** An event that cannot be decoded is the first one of a stream, or the next. */
  async function bad(
    category: StreamCategory,
    id: string,
    type: string,
    expected: 'no-stream' | 'any' = 'no-stream',
  ) {
    const { store, streams } = app.get(EventLog);
    const event = { eventId: `bad ${id}`, type, data: '[]', metadata: '{"schemaVersion":1}' };
    return store.append(streams.of(category, id), expected, [event]);
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

  const states = { asked: { transitions: { pay: 'paid' } }, paid: {} };
  const specialists = [{ role: 'proposer' as const, specialistId: 'ann', isHuman: true }];
  const machine = { initialState: 'asked', goalState: 'paid', states, specialists };
  const opened = async (machineName: string) => (await redial.createSession({ machineName })).sessionId;
  const decide = (sessionId: string) =>
    redial.submitArbitration({ sessionId, transitionName: 'pay', actAs: 'ann' });

  it('stop the decisions of their machine, and of no other', async () => {
    for (const machineName of ['whole', 'whole2']) await redial.defineMachine({ ...machine, machineName });
    const [whole, broken] = [await opened('whole'), await opened('whole2')];
    const { position: minPosition } = await bad('specialist', 'whole2/bob', 'ProposerRegistered');
    await redial.listSpecialists({ minPosition });
    await expect(decide(broken)).rejects.toThrow(
      /\[StreamStandsStill\] the rows of redial_specialist-whole2/,
    );
    expect(await decide(whole)).toMatchObject({ executed: true });
  });

  it('of a session stop the decisions of its machine, whose alignment may lack what it has, and of no other', async () => {
    for (const machineName of ['whole', 'whole2']) await redial.defineMachine({ ...machine, machineName });
    const [whole, still, other] = [await opened('whole'), await opened('whole2'), await opened('whole2')];
    const { position: minPosition } = await bad('session', still, 'HumanOverrideAccepted', 'any');
    await redial.listSpecialists({ minPosition });
    await expect(decide(other)).rejects.toThrow(/\[StreamStandsStill\] the rows of redial_session-/);
    expect(await decide(whole)).toMatchObject({ executed: true });
  });
});
