import { describe, expect, it } from '@jest/globals';
import {
  copiesOf,
  EventCodec,
  EventLog,
  InMemoryEventStore,
  RevisionConflict,
  StreamHistory,
  StreamNames,
} from '#lib/event-store';
import { type Command, type Decider, derivedId, type Event, Fingerprints, randomIds } from '#lib/kernel';
import { WrittenPosition } from '../read-side/written-position.js';
import { commandContext } from './command-context.js';
import { CommandWriter } from './command-writer.js';

type Case = Event<'CaseOpened' | 'CaseForked'>;
const decider: Decider<null, Command, Case> = {
  initialState: null,
  evolve: () => null,
  decide: ({ type, data }) => [{ type: type === 'Fork' ? 'CaseForked' : 'CaseOpened', data }],
  record: () => ({}),
  rebuild: (_, [event]) => ({ type: event?.type === 'CaseForked' ? 'Fork' : 'Open', data: {} }),
};
const codec = new EventCodec([{ CaseOpened: { version: 1 }, CaseForked: { version: 1 } }]);
const prints = new Fingerprints('the key of the log');
const parent = { category: 'session', id: randomIds.next() } as const;

/** A process that records everything with this time. */
function processAt(store: InMemoryEventStore, minute: number) {
  const log = new EventLog(store, codec, new StreamNames());
  const now = () => new Date(Date.UTC(2026, 0, 1, 0, minute));
  const writer = new CommandWriter(log, { now }, new WrittenPosition());
  const fork = async (key: string | undefined, id: string, body = 'same') => {
    const options = key === undefined ? {} : { idempotencyKey: key };
    const context = commandContext('fork', options, randomIds, () => prints.of(body));
    const stream = log.streams.of('session', id);
    const { events } = await log.load<Case>(log.streams.of('session', parent.id));
    const copies = copiesOf<Case>(events, 'session-parent', { id, stream, by: 'operator' }, (data) => data);
    const target = { category: 'session', id } as const;
    const command = { type: 'Fork', data: {} };
    const revision = await writer.fork(decider, target, new StreamHistory(copies), command, context);
    return { revision, written: context.written.latest };
  };
  return { log, writer, fork };
}

describe('a fork that two processes make at once', () => {
  const id = derivedId(parent.id, 'fork');

  async function begin() {
    const store = new InMemoryEventStore();
    const [one, other] = [processAt(store, 1), processAt(store, 2)];
    await one.writer.send(decider, parent, { type: 'Open', data: {} }, commandContext('open', {}, randomIds));
    return { one, other };
  }

  it('is made once under one key, and both answer it', async () => {
    const { one, other } = await begin();
    const made = await one.fork('k', id);
    expect(made.revision).toBe(1);
    expect(await other.fork('k', id)).toEqual(made);
    expect((await other.log.load(other.log.streams.of('session', id))).events).toHaveLength(2);
  });

  it('is refused to the later one if its body is another', async () => {
    const { one, other } = await begin();
    await one.fork('k', id);
    await expect(other.fork('k', id, 'another')).rejects.toMatchObject({
      rejection: { code: 'idempotency-key-reused' },
    });
  });

  it('is an error where the stream is of another call', async () => {
    const { one, other } = await begin();
    await one.fork('k', id);
    await expect(other.fork(undefined, id)).rejects.toBeInstanceOf(RevisionConflict);
  });
});
