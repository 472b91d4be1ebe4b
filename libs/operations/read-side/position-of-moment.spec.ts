import { describe, expect, it } from '@jest/globals';
import { reject } from '#lib/kernel';
import { appendAll, openLog, timeOf } from '#lib/read-models/testing';
import { positionOfMoment } from './position-of-moment.js';

const noted = (id: string) => ({
  category: 'specialist' as const,
  id,
  event: { type: 'SpecialistEnabled', data: { specialistId: id } },
});

describe('the position of a time', () => {
  it('is right before the first later event of the stream: an event of any other stream there stays, as before that event came', async () => {
    const log = openLog();
    const unknown = reject('unknown', 'unknown', { what: 'it', why: 'it is not there', fix: '-' });
    const subject = { stream: log.streams.of('specialist', 'seen'), asked: () => [], unknown };
    const between = await appendAll(log, [noted('seen'), noted('other')]);
    expect(await positionOfMoment(log, subject, timeOf(1))).toBe(between);
    await appendAll(log, [noted('seen')], 2);
    expect(await positionOfMoment(log, subject, timeOf(1))).toBe(between);
  });
});
