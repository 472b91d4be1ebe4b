import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { EventCodec, EventLog, InMemoryEventStore, StoreUnavailable, StreamNames } from '#lib/event-store';
import { randomIds } from '#lib/kernel';
import { childContext, commandContext } from './command-context.js';
import { ReadAhead } from './read-ahead.js';

const codec = new EventCodec([{ Opened: { version: 1 } }]);

describe('what a call reads ahead', () => {
  let store: InMemoryEventStore;
  let log: EventLog;
  beforeEach(async () => {
    store = new InMemoryEventStore();
    log = new EventLog(store, codec, new StreamNames());
    await open();
  });

  /** As another process appends to the stream. */
  async function open(): Promise<void> {
    const event = { eventId: randomIds.next(), type: 'Opened', data: '{}', metadata: '{"occurredAt":"now"}' };
    await store.append('s', 'any', [event]);
  }

  it('is asked for at once, and given once: a later load has what came since', async () => {
    const reads = jest.spyOn(store, 'readStream');
    const ahead = new ReadAhead(log, ['s', 'other']);
    expect(reads.mock.calls.map(([stream]) => stream)).toEqual(['s', 'other']);
    expect((await ahead.load('s')).revision).toBe(0);
    expect(reads).toHaveBeenCalledTimes(2);
    await open();
    expect((await ahead.load('s')).revision).toBe(1);
  });

  it('is loaded where it was not asked for', async () => {
    expect((await new ReadAhead(log, []).load('s')).revision).toBe(0);
  });

  it('fails where it is taken, and nowhere else', async () => {
    jest.spyOn(store, 'readStream').mockImplementation(() => {
      throw new StoreUnavailable('the log', 'it is closed', 'Open it');
    });
    const ahead = new ReadAhead(log, ['s', 'never taken']);
    await expect(ahead.load('s')).rejects.toThrow(StoreUnavailable);
  });

  it('is of the call alone, and not of the calls that it causes', () => {
    const context = { ...commandContext('open', {}, randomIds), ahead: new ReadAhead(log, []) };
    expect(childContext(context, 'step')).not.toHaveProperty('ahead');
  });
});
