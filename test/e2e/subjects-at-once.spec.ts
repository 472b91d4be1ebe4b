import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
import { SubjectKeys } from '#lib/read-models';
import { orders, ReactingEngine } from '../support/reacting.js';

it('first calls about one new subject, at the same time, all begin, however late the store of keys answers each of them', async () => {
  const masterKey = randomBytes(32).toString('base64');
  const engine = await ReactingEngine.start({ dataDir: temporaryFolder(), masterKey });
  const keys = engine.app.get(SubjectKeys);
  const find = keys.find.bind(keys);
  let asked = 0;
  keys.find = async (subject) => {
    const turns = (asked++ * 37) % 50;
    const found = await find(subject);
    for (let turn = 0; turn < turns; turn++) await setImmediate();
    return found;
  };
  await engine.redial.defineMachine(orders);
  for (let n = 0; n < 4; n++) {
    const begin = () => engine.redial.createSession({ machineName: 'orders', subject: `subject-${n}` });
    const begun = await Promise.allSettled(Array.from({ length: 8 }, begin));
    expect(begun.filter(({ status }) => status === 'rejected')).toEqual([]);
  }
  await engine.stop();
});
