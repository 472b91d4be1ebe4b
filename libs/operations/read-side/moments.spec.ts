import { setImmediate } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { reject } from '#lib/kernel';
import { appendAll, openLog } from '#lib/read-models/testing';
import { pastMoment } from './moments.js';

it('rows of past moments are held for one question at a time', async () => {
  const log = openLog();
  const event = { type: 'SpecialistEnabled', data: { specialistId: 'ann' } };
  await appendAll(log, [{ category: 'specialist', id: 'ann', event }]);
  const unknown = reject('unknown', 'unknown', { what: 'it', why: 'it is not there', fix: '-' });
  const parts = { log, models: { name: 'rows', models: [] }, requests: [] };
  const moment = await pastMoment(parts, { category: 'specialist', id: 'ann', unknown }, '0');
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
