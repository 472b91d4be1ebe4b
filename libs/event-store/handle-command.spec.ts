import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  type Command,
  type CommandEnvelope,
  type Decider,
  type Event,
  Fingerprints,
  isRejection,
  reject,
  type Rejection,
} from '#lib/kernel';
import { EventCodec } from './event-codec.js';
import { EventLog } from './event-log.js';
import { StoreUnavailable } from './errors.js';
import { type CommandAnswer, commandEventIds, ConflictNotSettled, handleCommand } from './handle-command.js';
import { InMemoryEventStore } from './in-memory-event-store.js';
import { withPatience } from './patience.js';
import { StreamNames } from './stream-names.js';

type Seated = Event<'Seated', { guest: string; row: number }>;
type Rows = readonly (readonly string[])[];
type Seat = Command<'Seat', { guests: readonly string[]; row?: number }>;

/** Guests take seats in the last row, two in each. A command without a row means the row that is open when it comes. */
const theatre: Decider<Rows, Seat, Seated> = {
  initialState: [[]],
  complete: (command, rows) =>
    command.data.row === undefined ? seat(command.data.guests, rows.length - 1) : command,
  decide({ data: { guests, row = 0 } }, rows) {
    if (row !== rows.length - 1) return reject('conflict', 'row-full', full);
    const absent = guests.filter((guest) => !rows.flat().includes(guest));
    return absent.map((guest) => ({ type: 'Seated', data: { guest, row } }));
  },
  evolve(rows, { data: { guest, row } }) {
    const seated = rows.map((guests, index) => (index === row ? [...guests, guest] : guests));
    return (seated.at(-1)?.length ?? 0) < 2 ? seated : [...seated, []];
  },
  record: (command) => command,
  rebuild: (recorded) => recorded as Seat,
};
const full = { errorClass: 'RowFull', what: 'the row', why: 'it is full', fix: 'Take the next one' };

/** Lets others append just before an append. */
class BusyStore extends InMemoryEventStore {
  interlopers: (() => Promise<unknown>)[] = [];
  appends = 0;

  override async append(...given: Parameters<InMemoryEventStore['append']>) {
    await this.interlopers.shift()?.();
    this.appends++;
    return super.append(...given);
  }
}

const seat = (guests: readonly string[], row?: number): Seat => ({
  type: 'Seat',
  data: { guests, ...(row !== undefined && { row }) },
});

const prints = new Fingerprints('the key of the log');

function envelope(commandId: string, over: Partial<CommandEnvelope> = {}): CommandEnvelope {
  const id = `00000000-0000-4000-8000-${commandId.padStart(12, '0')}`;
  return {
    commandId: id,
    fingerprint: prints.of(commandId),
    correlationId: 'session',
    causationId: id,
    actor: 'operator',
    occurredAt: '2026-01-02T03:04:05.678Z',
    ...over,
  };
}

describe('handleCommand', () => {
  let store: BusyStore;
  let log: EventLog;
  beforeEach(() => {
    store = new BusyStore();
    log = new EventLog(store, new EventCodec([{ Seated: { version: 1 } }]), new StreamNames());
  });
  const handle = (command: Seat, by: CommandEnvelope) => handleCommand(log, theatre, 'house', command, by);
  const granted = async (command: Seat, by: CommandEnvelope) => answerOf(await handle(command, by));
  const guests = async () => (await log.readStream<Seated>('house')).map(({ data }) => data.guest);

  it('appends what is decided, and answers with events, state and place', async () => {
    const answer = await granted(seat(['ann', 'bob']), envelope('1'));
    const position = await store.head();
    const recorded = await log.readStream('house');
    expect(recorded.map(({ data }) => data)).toEqual([
      { guest: 'ann', row: 0 },
      { guest: 'bob', row: 0 },
    ]);
    expect(answer).toEqual({
      events: recorded.map((event) => ({ ...event, position })),
      state: [['ann', 'bob'], []],
      occurredAt: '2026-01-02T03:04:05.678Z',
      revision: 1,
      position,
      repeated: false,
    });
  });

  it('keeps the stream that it begins in memory: the next command is decided without a read of its events', async () => {
    await granted(seat(['ann']), envelope('1'));
    expect(log.known('house')?.revision).toBe(0);
  });

  it('says in the metadata who asked, and keeps the command with its first event only', async () => {
    const by = envelope('1');
    await granted(seat(['ann', 'bob']), by);
    const [first, second] = await log.readStream('house');
    const { fingerprint, ...known } = by;
    const common = { ...known, commandFingerprint: fingerprint?.text };
    expect(first?.metadata).toEqual({ ...common, command: seat(['ann', 'bob'], 0) });
    expect(second?.metadata).toEqual(common);
    const idOf = commandEventIds(seat(['ann', 'bob'], 0), common);
    expect([first?.eventId, second?.eventId]).toEqual([idOf(0), idOf(1)]);
  });

  it('answers a refusal, and appends nothing', async () => {
    const answer = await handle(seat(['ann'], 7), envelope('1'));
    expect(answer).toMatchObject({ rejected: 'conflict', code: 'row-full' });
    expect(await store.head()).toBeUndefined();
  });

  it('appends nothing when there is nothing to do', async () => {
    const empty = { events: [], occurredAt: envelope('1').occurredAt, position: undefined, repeated: false };
    expect(await handle(seat([]), envelope('1'))).toEqual({ ...empty, state: [[]], revision: -1 });
    await granted(seat(['ann']), envelope('2'));
    expect(await handle(seat(['ann']), envelope('1'))).toEqual({ ...empty, state: [['ann']], revision: 0 });
    expect(store.appends).toBe(1);
  });

  it('answers a repeat with what is recorded: events, state and place as they were then', async () => {
    const then = await granted(seat(['ann', 'bob']), envelope('1'));
    await granted(seat(['cid']), envelope('2'));
    const repeat = await granted(seat(['ann', 'bob']), envelope('1', { occurredAt: 'later' }));
    const { position } = then;
    const events = repeat.events.map((event) => ({ ...event, position }));
    expect({ ...repeat, events }).toEqual({ ...then, repeated: true });
    expect(await guests()).toEqual(['ann', 'bob', 'cid']);
  });

  it('refuses another command under a known id', async () => {
    await granted(seat(['ann']), envelope('1'));
    const other = await handle(seat(['bob']), envelope('1', { fingerprint: prints.of('another') }));
    expect(other).toMatchObject({ rejected: 'refused', code: 'idempotency-key-reused' });
    expect(await guests()).toEqual(['ann']);
  });

  it('decides again after a conflict, on what the stream holds then', async () => {
    store.interlopers = [() => granted(seat(['ann']), envelope('2'))];
    const answer = await granted(seat(['ann', 'bob']), envelope('1'));
    expect(answer).toMatchObject({ state: [['ann', 'bob'], []], revision: 1 });
    expect(await guests()).toEqual(['ann', 'bob']);
  });

  it('keeps across a retry what the first attempt derived', async () => {
    store.interlopers = [() => granted(seat(['ann', 'bob']), envelope('2'))];
    expect(await handle(seat(['cid']), envelope('1'))).toMatchObject({ code: 'row-full' });
    expect(await guests()).toEqual(['ann', 'bob']);
  });

  it('gives up when conflicts outlast its patience, with nothing written', async () => {
    const getInBetween = async () => {
      const last = (await store.readStream('house')).length - 1;
      const event = {
        eventId: randomUUID(),
        type: 'Seated',
        data: '{"guest":"x","row":0}',
        metadata: '{"schemaVersion":1}',
      };
      store.interlopers.push(getInBetween);
      await log.store.appendInOrder([
        { stream: 'house', expected: last < 0 ? 'no-stream' : last, events: [event] },
      ]);
    };
    store.interlopers = [getInBetween];
    const handling = withPatience(200, () =>
      handleCommand(log, { ...theatre, decide: seatAnywhere }, 'house', seat(['me']), envelope('1')),
    );
    await expect(handling).rejects.toThrow(ConflictNotSettled);
    expect(store.appends).toBeGreaterThan(1);
    expect(await guests()).not.toContain('me');
  });

  describe('on a stream in memory that another process has appended to since', () => {
    let other: EventLog;
    beforeEach(async () => {
      other = new EventLog(store, log.codec, log.streams);
      await granted(seat(['ann']), envelope('1'));
      await log.load('house');
    });
    const elsewhere = async (command: Seat, by: CommandEnvelope) =>
      answerOf(await handleCommand(other, theatre, 'house', command, by));

    it('appends without a read when nothing came since', async () => {
      const reads = jest.spyOn(store, 'readStream');
      await granted(seat(['bob'], 0), envelope('2'));
      await granted(seat(['cid'], 1), envelope('3'));
      expect(reads).not.toHaveBeenCalled();
      expect(await guests()).toEqual(['ann', 'bob', 'cid']);
    });

    it('grants what was refused on what is in memory', async () => {
      await elsewhere(seat(['bob']), envelope('2'));
      expect(await granted(seat(['cid'], 1), envelope('3'))).toMatchObject({ revision: 2 });
    });

    it('refuses what was granted on what is in memory', async () => {
      await elsewhere(seat(['bob']), envelope('2'));
      expect(await handle(seat(['cid'], 0), envelope('3'))).toMatchObject({ code: 'row-full' });
    });

    it('says of the stream, not of memory, that there is nothing to do', async () => {
      await elsewhere(seat(['bob'], 0), envelope('2'));
      expect(await granted(seat([], 1), envelope('3'))).toMatchObject({ events: [], revision: 1 });
    });

    it('takes what a command leaves open from the stream', async () => {
      await elsewhere(seat(['bob']), envelope('2'));
      expect(await granted(seat(['cid']), envelope('3'))).toMatchObject({ state: [['ann', 'bob'], ['cid']] });
    });

    it('answers a repeat of what the other process recorded', async () => {
      const first = await elsewhere(seat(['bob'], 0), envelope('2'));
      const repeat = await granted(seat(['bob'], 0), envelope('2', { occurredAt: 'later' }));
      expect(repeat).toMatchObject({ repeated: true, position: first.position });
      expect(await guests()).toEqual(['ann', 'bob']);
    });
  });

  it('leaves every other error to the caller, at once', async () => {
    store.interlopers = [() => store.close()];
    await expect(handle(seat(['ann']), envelope('1'))).rejects.toThrow(StoreUnavailable);
    expect(store.appends).toBe(1);
  });

  it('makes one set of events of two identical commands at the same time, and answers both alike', async () => {
    const later = envelope('1', { occurredAt: '2026-01-02T03:04:06.000Z' });
    const [one, two] = await Promise.all([
      granted(seat(['ann', 'bob']), envelope('1')),
      granted(seat(['ann', 'bob']), later),
    ]);
    expect(await guests()).toEqual(['ann', 'bob']);
    const { position, repeated } = two;
    const same = (answer: typeof one) => answer.events.map((event) => ({ ...event, position }));
    expect({ ...two, events: same(two) }).toEqual({ ...one, repeated, events: same(one) });
  });

  it('executes only one of two concurrent commands under one id', async () => {
    const answers = await Promise.all([
      handle(seat(['ann']), envelope('1')),
      handle(seat(['bob']), envelope('1', { fingerprint: prints.of('another') })),
    ]);
    expect(answers.filter(isRejection)).toMatchObject([{ code: 'idempotency-key-reused' }]);
    expect(await guests()).toEqual(['ann']);
  });

  it('grants different commands at the same time one after the other', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `guest ${index}`);
    const anywhere = { ...theatre, decide: seatAnywhere };
    await Promise.all(
      names.map((name, index) => handleCommand(log, anywhere, 'house', seat([name]), envelope(`${index}`))),
    );
    expect((await guests()).toSorted()).toEqual(names);
  });
});

const seatAnywhere: typeof theatre.decide = ({ data: { guests } }, rows) =>
  guests.map((guest) => ({ type: 'Seated', data: { guest, row: rows.length - 1 } }));

function answerOf(answer: CommandAnswer<Rows, Seated> | Rejection): CommandAnswer<Rows, Seated> {
  if (isRejection(answer)) throw new Error(answer.message);
  return answer;
}
