import { expect, it } from '@jest/globals';
import type { JsonObject } from '#lib/kernel';
import { startEngine } from '../support/engine.js';

const machine = {
  machineName: 'door',
  initialState: 'closed',
  goalState: 'open',
  states: { closed: { transitions: { push: 'open' } }, open: {} },
};
const nested = (levels: number) =>
  JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`) as JsonObject;

it('code that gives what is nested too deep is refused as HTTP is: the log could not be read', async () => {
  const engine = await startEngine([]);
  try {
    const { redial } = engine;
    await redial.defineMachine(machine);
    const create = (levels: number) =>
      redial.createSession({ machineName: 'door', metaJson: nested(levels) });
    for (const levels of [111, 5_000])
      await expect(create(levels)).rejects.toThrow('must not be nested more than 110 levels deep');
    const { sessionId } = await create(110);
    expect((await redial.listSessions({})).items).toMatchObject([{ sessionId }]);
    for await (const { identical } of redial.replayAll()) expect(identical).toBe(true);
  } finally {
    await engine.stop();
  }
});
