import { setImmediate } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { answerReaders } from '#lib/event-store';
import { reject } from '#lib/kernel';
import { appendAll, openLog } from '#lib/read-models/testing';
import { pastMoment } from './moments.js';

const unknown = reject('unknown', 'unknown', { what: 'it', why: 'it is not there', fix: '-' });

/** Moments of the stream of a specialist with one event. */
async function given(specialistId = 'ann') {
  const log = openLog();
  const event = { type: 'SpecialistEnabled', data: { specialistId } };
  await appendAll(log, [{ category: 'specialist', id: 'ann', event }]);
  const parts = { log, models: { name: 'rows', models: [] }, requests: [] };
  return (at: string) => pastMoment(parts, { category: 'specialist', id: 'ann', unknown }, at);
}

it('rows of past moments are held for one question at a time', async () => {
  const moment = await (await given())('0');
  let asked = 0;
  const counted = async () => {
    const atOnce = ++asked;
    await setImmediate();
    asked -= 1;
    return atOnce;
  };
  const questions = Array.from({ length: 5 }, () => moment.ask([], counted));
  expect(await Promise.all(questions)).toEqual([1, 1, 1, 1, 1]);
});

it('a question that waits for its turn holds nothing of what its time was looked up in', async () => {
  const momentAt = await given('a'.repeat(100_000));
  const readings = [answerReaders.open(), answerReaders.open()];
  const moments = await Promise.all(
    readings.map(async (reading) => ({
      reading,
      moment: await reading.run(() => momentAt('2100-01-01T00:00:00Z')),
    })),
  );
  expect(readings.map(({ held }) => held > 0)).toEqual([true, true]);
  const answers = moments.map(async ({ reading, moment }) => {
    const all = async () => {
      await reading.needs(answerReaders.most);
      return reading.held;
    };
    const held = await reading.run(() => moment.ask([], all));
    reading.close();
    return held;
  });
  expect(await Promise.all(answers)).toEqual([answerReaders.most, answerReaders.most]);
});
