import { expect, it } from '@jest/globals';
import { damagedEvents } from './damaged-events.js';
import { EventLog } from './event-log.js';
import { InMemoryEventStore } from './in-memory-event-store.js';
import { StreamNames } from './stream-names.js';
import { codec, said } from './testing/large-events.js';

it('events that cannot be read are found in all streams of the log, and none in those of others', async () => {
  const log = new EventLog(new InMemoryEventStore(), codec, new StreamNames());
  await log.append('redial_session-a', 'any', [said({ a: 1 })]);
  const { eventId, type, metadata } = codec.encode(said({}), '');
  const add = (stream: string, changes: object) => {
    const event = { eventId: `${eventId} ${stream}`, type, data: '{}', metadata, ...changes };
    return log.store.append(stream, 'any', [event]);
  };
  await add('of-another', { data: '[]' });
  await add('redial_session-new', { type: 'OfANewerRelease' });
  for (const stream of ['session-a', 'log-claims', 'log-seals', 'workflow-b'])
    await add(`redial_${stream}`, { data: '[]' });
  const streams = async (most: number) => {
    const { damaged, ...others } = await damagedEvents(log, most);
    expect(others).toEqual({});
    return damaged.map(({ stored: { stream } }) => stream.slice('redial_'.length));
  };
  expect(await streams(20)).toEqual(['session-a', 'log-claims', 'log-seals', 'workflow-b']);
  expect(await streams(2)).toEqual(['session-a', 'log-claims']);
});
