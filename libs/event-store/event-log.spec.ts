import { beforeEach, describe, expect, it } from '@jest/globals';
import { EventLog } from './event-log.js';
import type { EventStore } from './event-store.js';
import { InMemoryEventStore } from './in-memory-event-store.js';
import { StreamNames } from './stream-names.js';
import { changedStore } from './testing/changed-store.js';
import { codec, kib, said } from './testing/large-events.js';

const names = new StreamNames();

describe('EventLog', () => {
  let store: EventStore;
  let log: EventLog;
  beforeEach(() => {
    store = new InMemoryEventStore();
    log = new EventLog(store, codec, names);
  });

  it('answers an append with the events as a reader gets them, without reading, but for positions before the last', async () => {
    await log.append('s', 'no-stream', [said({ n: 0 })]);
    const readStream = () => Promise.reject(new Error('an append reads nothing'));
    const writing = new EventLog(changedStore(store, { readStream }), codec, names);
    const large = said({ text: kib(900), more: kib(200), none: undefined });
    const { events, revision, position } = await writing.append('s', 0, [said({ n: 1 }), large]);
    const stored = await log.readStream('s', { from: 1 });
    expect(events).toEqual(stored.map((event) => ({ ...event, position })));
    expect(stored.at(-1)).toMatchObject({ revision, position });
  });

  it('answers appends in order each with its events, large ones too', async () => {
    const answers = await log.appendInOrder([
      { stream: 'a', expected: 'no-stream', events: [said({ n: 0 })] },
      { stream: 'b', expected: 'no-stream', events: [said({ text: kib(900), more: kib(200) }), said({})] },
    ]);
    for (const [index, stream] of ['a', 'b'].entries()) {
      const stored = await log.readStream(stream);
      const { position } = answers[index] ?? {};
      expect(answers[index]?.events).toEqual(stored.map((event) => ({ ...event, position })));
    }
  });

  it('keeps what came before a conflict of appends in order', async () => {
    await log.append('b', 'no-stream', [said({})]);
    const appending = log.appendInOrder([
      { stream: 'a', expected: 'no-stream', events: [said({})] },
      { stream: 'b', expected: 'no-stream', events: [said({})] },
      { stream: 'c', expected: 'no-stream', events: [said({})] },
    ]);
    await expect(appending).rejects.toMatchObject({ stream: 'b', actual: 0, written: [{ revision: 0 }] });
    expect(await log.readStream('a')).toHaveLength(1);
    expect(await log.readStream('c')).toEqual([]);
  });
});
