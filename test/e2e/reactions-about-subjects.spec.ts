import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { inMemory } from '../support/places/place.js';
import { orders, ReactingEngine } from '../support/reacting.js';

it('a reaction that fails keeps no text that its code made of an event about a subject', async () => {
  const masterKey = randomBytes(32).toString('base64');
  const engine = await ReactingEngine.start({ ...inMemory, masterKey }, () => {
    throw new RangeError('No address of ann@example.com.');
  });
  const { redial, log } = engine;
  try {
    await redial.defineMachine(orders);
    const { sessionId } = await redial.createSession({ machineName: 'orders', subject: 'customer-42' });
    await engine.step(sessionId, 'pay');
    const parked = async () => (await redial.listParkedDeliveries({ name: 'booking' })).items;
    await engine.until(async () => (await parked()).length === 1, 60_000);
    const errors = (await parked()).flatMap(({ attempts }) => attempts.map(({ error }) => error));
    expect(new Set(errors)).toEqual(
      new Set(['RangeError was thrown; its text is not kept, for the event is about a subject.']),
    );
    const stored = await log.store.readAll({ limit: 1_000 });
    expect(stored.filter(({ data }) => data.includes('ann@example.com'))).toEqual([]);
  } finally {
    await engine.stop();
  }
});
