import { expect, it } from '@jest/globals';
import { mergedEvents } from '#lib/workflow';
import type { ReadModel } from '../loop/declare.js';
import { appendAll, openLog } from '../testing/sample-log.js';
import { pastRows } from './past-rows.js';

const faulty: ReadModel = {
  name: 'faulty',
  kinds: [],
  on: {
    specialist: () => {
      throw new Error('it is not welcome');
    },
  },
};

it('rows of the past are refused where a stream of them stands still, and never short', async () => {
  const log = openLog();
  const event = { type: 'SpecialistEnabled', data: { specialistId: 'ann' } };
  await appendAll(log, [{ category: 'specialist', id: 'ann', event }]);
  const events = mergedEvents(log, [log.streams.of('specialist', 'ann')], () => []);
  await expect(pastRows(log, { name: 'rows', models: [faulty] }, ['faulty'], events)).rejects.toThrow(
    /\[StreamStandsStill\] the rows of .*specialist-ann stand still .*: it is not welcome/,
  );
});
