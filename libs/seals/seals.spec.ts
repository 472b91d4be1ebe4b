import { createHash, generateKeyPairSync } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import {
  EventCodec,
  EventLog,
  type EventToStore,
  InMemoryEventStore,
  isSealed,
  leafHash,
  type StoredEvent,
  StreamNames,
} from '#lib/event-store';
import { randomIds, systemClock } from '#lib/kernel';
import { markCopy } from './copies.js';
import { isUnder, type Provable, proofOf } from './proof.js';
import { PublicSealKey, type Seal, sealIn, SealKey } from './seal.js';
import { sealEventDefinitions } from './seal.events.js';
import { SealedLog } from './sealed-log.js';
import { LogHold } from './log-hold.js';
import { Sealer } from './sealer.js';
import { rootOf } from './tree.js';
import { verifySeals } from './verify-log.js';

const names = new StreamNames();
const logOn = (store: InMemoryEventStore) =>
  new EventLog(store, new EventCodec([sealEventDefinitions]), names);
const sealerOf = (log: EventLog, key?: SealKey) =>
  new Sealer({ log, key, hold: new LogHold(false), clock: systemClock, ids: randomIds });

function pair() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const secret = new SealKey(String(privateKey.export({ type: 'pkcs8', format: 'pem' })));
  return { secret, open: new PublicSealKey(String(publicKey.export({ type: 'spki', format: 'pem' }))) };
}

let store: InMemoryEventStore;
let log: EventLog;
let count = 0;
beforeEach(() => {
  store = new InMemoryEventStore();
  log = logOn(store);
});

/** Appends events to three streams in turn. */
async function happened(events: number): Promise<void> {
  for (let n = 0; n < events; n++) {
    const data = JSON.stringify({ n: ++count });
    const event = { eventId: randomIds.next(), type: 'ThingHappened', data, metadata: '{"by":"test"}' };
    await store.append(`redial_session-${count % 3}`, 'any', [event]);
  }
}

const stored = () => store.readAll({ limit: 100_000 });
const sealed = async () => (await stored()).filter(({ stream }) => isSealed(names, stream));

function rootOver(events: readonly StoredEvent[]): string | undefined {
  const hashes = events.map((event) =>
    Buffer.from(leafHash({ ...event, stream: names.withoutPrefix(event.stream) }), 'hex'),
  );
  return rootOf(hashes)?.toString('hex');
}

async function sealsOf(on = log): Promise<readonly Seal[]> {
  const events = await on.readStream('redial_log-seals');
  return events.flatMap(({ data }) => sealIn(data) ?? []);
}

/** A log of the same id with what is stored, changed. */
async function changedLog(change: (events: StoredEvent[]) => readonly StoredEvent[]): Promise<EventLog> {
  const other = new InMemoryEventStore(store.logId);
  for (const { stream, eventId, type, data, metadata } of change([...(await stored())]))
    await other.append(stream, 'any', [{ eventId, type, data, metadata }]);
  return logOn(other);
}

describe('sealing a log', () => {
  it('has every event up to the head under the root, in seals that add at most 1,024', async () => {
    await happened(2_100);
    const { seal, isNew } = await sealerOf(log).seal();
    const seals = await sealsOf();
    expect(isNew).toBe(true);
    expect(seals.map(({ index, events }) => [index, events])).toEqual([
      [0, 1_024],
      [1, 2_048],
      [2, 2_100],
    ]);
    expect(seals.map(({ previous }) => previous)).toEqual([null, seals[0]?.root, seals[1]?.root]);
    expect(seals.map(({ subtrees }) => subtrees.length)).toEqual([16, 16, 1]);
    expect(seal).toMatchObject({ root: rootOver(await sealed()), log: store.logId, events: 2_100 });
  });

  it('makes no seal if nothing came, and none of what belongs to this log alone', async () => {
    expect(await sealerOf(log).seal()).toEqual({ seal: undefined, isNew: false });
    await happened(1);
    const { seal } = await sealerOf(log).seal();
    const claim: EventToStore = { eventId: randomIds.next(), type: 'LogClaimed', data: '{}', metadata: '{}' };
    await store.append('redial_log-claims', 'any', [claim]);
    await store.append('other-1', 'any', [claim]);
    expect(await sealerOf(log).seal()).toEqual({ seal, isNew: false });
  });

  it('makes one seal after another if it is called several times at once', async () => {
    const [sealer, other] = [sealerOf(log), sealerOf(log)];
    for (let n = 0; n < 5; n++) {
      await happened(700);
      await Promise.all([sealer.seal(), other.seal(), sealer.seal()]);
    }
    expect((await sealsOf()).at(-1)).toMatchObject({ events: 3_500, root: rootOver(await sealed()) });
    expect(await verifySeals(log, {})).toMatchObject({ differs: false, unsealed: 0 });
  });

  it('makes none without the key once one is signed', async () => {
    await happened(1);
    await sealerOf(log, pair().secret).seal();
    await happened(1);
    await expect(sealerOf(log).seal()).rejects.toThrow(/^\[SealKeyMissing\] .* Set REDIAL_SEAL_KEY/);
  });

  it('gives the same tree however often it stops, in any number of processes', async () => {
    const steps = fc.array(
      fc.tuple(fc.integer({ min: 0, max: 150 }), fc.constantFrom('same', 'fresh', 'both')),
      { minLength: 1, maxLength: 6 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        [store, count] = [new InMemoryEventStore(), 0];
        log = logOn(store);
        const one = sealerOf(log);
        for (const [events, how] of all) {
          await happened(events);
          const others = how === 'same' ? [one] : how === 'fresh' ? [sealerOf(log)] : [one, sealerOf(log)];
          await Promise.all(others.map((sealer) => sealer.seal()));
          const under = await sealed();
          if (under.length === 0) continue;
          const [last] = (await sealsOf()).slice(-1);
          expect(last).toMatchObject({ events: under.length, root: rootOver(under) });
          expect(await verifySeals(log, {})).toMatchObject({ differs: false, unsealed: 0 });
        }
      }),
      { numRuns: 25 },
    );
  });
});

describe('the proof of events', () => {
  async function* provable(events: readonly StoredEvent[]): AsyncGenerator<Provable> {
    for (const { stream, revision, position } of events)
      yield { stream: names.withoutPrefix(stream), revision, position };
  }

  it('leads from each event to the root of the last seal, whatever the seals before', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(sizes, fc.integer({ min: 1, max: 90 }), async (parts, every) => {
        [store, count] = [new InMemoryEventStore(), 0];
        log = logOn(store);
        for (const events of parts) {
          await happened(events);
          await sealerOf(log).seal();
        }
        const under = await sealed();
        await happened(2);
        const all = await sealed();
        const asked = all.filter((_, index) => index % every === 0 || index >= under.length);
        const proof = await proofOf(new SealedLog(log), provable(asked));
        if (!proof) throw new Error('no proof');
        expect(proof.leaves.map(({ index }) => all[index]?.eventId)).toEqual(
          asked.slice(0, -2).map(({ eventId }) => eventId),
        );
        expect(proof.leaves.every((leaf) => isUnder(proof.seal, leaf))).toBe(true);
        expect(proof.unsealed).toHaveLength(2);
      }),
      { numRuns: 25 },
    );
  });

  it('is none without a seal', async () => {
    await happened(1);
    expect(await proofOf(new SealedLog(log), provable(await sealed()))).toBeUndefined();
  });
});

describe('verifying a log by its seals', () => {
  const key = pair();
  const AT = 700;
  const nameAt = (events: readonly StoredEvent[], at: number) => {
    const { stream = '', revision } = events[at] ?? {};
    return { stream: names.withoutPrefix(stream), revision };
  };

  beforeEach(async () => {
    await happened(1_500);
    await sealerOf(log, key.secret).seal();
    await happened(3);
  });

  it('finds nothing in a whole one, and says what is not sealed', async () => {
    expect(await verifySeals(log, { key: key.open })).toMatchObject({
      differs: false,
      seal: { index: 1, events: 1_500 },
      unsealed: 3,
    });
  });

  const other = (event: StoredEvent, change: Partial<StoredEvent>): StoredEvent => ({ ...event, ...change });
  const changedAt =
    (change: Partial<StoredEvent>) =>
    (events: StoredEvent[]): StoredEvent[] =>
      events.map((event, at) => (at === AT ? other(event, change) : event));
  const CHANGES: readonly (readonly [string, (events: StoredEvent[]) => readonly StoredEvent[]])[] = [
    ['changed data', changedAt({ data: '{"n":0}' })],
    ['changed metadata', changedAt({ metadata: '{"by":"somebody"}' })],
    ['a changed type', changedAt({ type: 'OtherHappened' })],
    ['a changed event id', changedAt({ eventId: randomIds.next() })],
    ['an event in another stream, so at another revision', changedAt({ stream: 'redial_session-9' })],
    ['an event that is gone', (events) => events.toSpliced(AT, 1)],
    [
      'one that was put in',
      (events) => events.toSpliced(AT, 0, other(events[0] as StoredEvent, { eventId: randomIds.next() })),
    ],
    [
      'two that were exchanged',
      (events) => {
        const [one, two] = events.slice(AT, AT + 2);
        return one && two ? events.toSpliced(AT, 2, two, one) : [];
      },
    ],
  ];

  it.each(CHANGES)('finds %s, to 64 events', async (_, change) => {
    const changed = await changedLog(change);
    const found = await verifySeals(changed, { key: key.open });
    const first = Math.floor(AT / 64) * 64;
    expect(found).toMatchObject({ differs: true });
    const events = found.differs ? found.events : [];
    expect(events.length).toBeLessThanOrEqual(64);
    expect(events[0]).toEqual(nameAt(await sealed(), first));
  });

  const sealChanged =
    (change: Partial<Seal>, at = 0) =>
    (events: StoredEvent[]) =>
      events.map((event) => {
        if (event.type !== 'LogSealed' || event.revision !== at) return event;
        return { ...event, data: JSON.stringify({ ...(JSON.parse(event.data) as object), ...change }) };
      });
  const NONE = '0'.repeat(64);

  it.each([
    ['root', sealChanged({ root: NONE })],
    ['number of events', sealChanged({ events: 1_000 })],
    ['previous root', sealChanged({ previous: NONE }, 1)],
    ['log', sealChanged({ log: 'another' })],
    ['time', sealChanged({ sealedAt: '2020-01-01T00:00:00.000Z' })],
    ['signature', sealChanged({ signature: Buffer.alloc(64).toString('base64') })],
    ['last event', sealChanged({ last: { stream: 'session-1', revision: 1 } } as object)],
    ['whole form', sealChanged({ subtrees: [NONE, 'x'] })],
  ])('finds a seal with another %s', async (_, change) => {
    expect(await verifySeals(await changedLog(change), { key: key.open })).toMatchObject({ differs: true });
  });

  const isSeal = ({ type }: StoredEvent) => type === 'LogSealed';

  it.each([
    ['another key', pair().secret],
    ['no key', undefined],
  ])('finds that a changed log was sealed anew with %s', async (_, other_) => {
    const changed = await changedLog((events) =>
      changedAt({ data: '{"n":0}' })(events).filter((one) => !isSeal(one)),
    );
    await sealerOf(changed, other_).seal();
    expect(await verifySeals(changed, {})).toMatchObject({ differs: false });
    expect(await verifySeals(changed, { key: key.open })).toMatchObject({ differs: true });
  });

  it('finds a cut tail, with its seals, by a seal that was kept elsewhere', async () => {
    const [, since] = await sealsOf();
    const cut = await changedLog((events) =>
      events.filter((event, at) => at < 1_200 && !(isSeal(event) && event.revision > 0)),
    );
    await sealerOf(cut, key.secret).seal();
    expect(await verifySeals(cut, { key: key.open })).toMatchObject({ differs: false });
    expect(await verifySeals(cut, { key: key.open, since })).toMatchObject({ differs: true });
    expect(await verifySeals(log, { key: key.open, since })).toMatchObject({ differs: false });
  });

  it('finds a kept seal of another log, and one that somebody else signed', async () => {
    const [since] = await sealsOf();
    if (!since) throw new Error('no seal');
    expect(await verifySeals(log, { since: { ...since, log: 'another' } })).toMatchObject({ differs: true });
    expect(await verifySeals(log, { since, key: pair().open })).toMatchObject({ differs: true });
  });

  it('accepts earlier seals without a signature, and none after a signed one', async () => {
    const unsigned = await changedLog((events) => events.filter((event) => !isSeal(event)).slice(0, 100));
    await sealerOf(unsigned).seal();
    const add = async (keyed?: SealKey) => {
      const event = { eventId: randomIds.next(), type: 'ThingHappened', data: '{}', metadata: '{}' };
      await unsigned.store.append('redial_session-7', 'any', [event]);
      await sealerOf(unsigned, keyed).seal();
    };
    expect(await verifySeals(unsigned, { key: key.open })).toMatchObject({ differs: true });
    await add(key.secret);
    expect(await verifySeals(unsigned, { key: key.open })).toMatchObject({ differs: false });
    const all = await unsigned.store.readAll({ limit: 9_999 });
    const stripped = new InMemoryEventStore(store.logId);
    for (const { stream, eventId, type, data, metadata } of all) {
      const { signature: _, keyId: __, ...seal } = JSON.parse(data) as Seal;
      const said = type === 'LogSealed' && seal.index === 1 ? JSON.stringify(seal) : data;
      await stripped.append(stream, 'any', [{ eventId, type, data: said, metadata }]);
    }
    expect(await verifySeals(logOn(stripped), { key: key.open })).toMatchObject({ differs: true });
  });

  it('accepts the seals of the log from which it was copied, up to the copy', async () => {
    const copy = new InMemoryEventStore();
    const copied = logOn(copy);
    for (const { stream, eventId, type, data, metadata } of await stored())
      await copy.append(stream, 'any', [{ eventId, type, data, metadata }]);
    expect(await verifySeals(copied, { key: key.open })).toMatchObject({ differs: true });
    await markCopy(copy, store, names, 0);
    await markCopy(copy, store, names, 0);
    expect(await copy.readStream('redial_log-copies')).toHaveLength(1);
    expect(await verifySeals(copied, { key: key.open })).toMatchObject({ differs: false, unsealed: 3 });
    await sealerOf(copied, key.secret).seal();
    expect(await verifySeals(copied, { key: key.open })).toMatchObject({ differs: false, unsealed: 0 });
    const again = new InMemoryEventStore();
    for (const { stream, eventId, type, data, metadata } of await copy.readAll({ limit: 9_999 }))
      if (stream !== 'redial_log-copies')
        await again.append(stream, 'any', [{ eventId, type, data, metadata }]);
    await markCopy(again, copy, names, 1);
    expect(await verifySeals(logOn(again), { key: key.open })).toMatchObject({ differs: false });
  });
});

it('the id of a key is the SHA-256 of its public key', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const der = publicKey.export({ type: 'spki', format: 'der' });
  const id = createHash('sha256').update(der).digest('hex');
  expect(new SealKey(String(privateKey.export({ type: 'pkcs8', format: 'pem' }))).keyId).toBe(id);
  expect(() => new SealKey('no key')).toThrow(
    /^\[InvalidSealKey\] the private key of seals: it is not an Ed25519 key in PEM form\. Make one/,
  );
});
