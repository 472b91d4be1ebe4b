import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import type { StoredEvent } from '../event-store.js';
import type { Position } from '../position.js';
import { Keyring } from './keyring.js';
import { RecentEvents } from './recent-events.js';
import { SubjectKey } from './subject-key.js';

const newKey = () => new SubjectKey(randomBytes(32));

/** A memory that holds these keys. */
function holding(...keys: readonly SubjectKey[]): RecentEvents {
  const recent = new RecentEvents();
  for (const key of keys) recent.hold(key);
  return recent;
}

function event(eventId: string, data = 'encrypted'): StoredEvent {
  const place = { stream: 'session-1', revision: 0, position: '' as Position };
  return { eventId, type: 'Said', data, metadata: '{}', ...place };
}

function remember(recent: RecentEvents, key: SubjectKey, stored: StoredEvent, data = 'said'): void {
  recent.keep({ key, stream: stored.stream, stored, read: { ...stored, data } });
}

/** A key ring over one key. Calls may still use a key that it has dropped. */
function ring() {
  let now = 0;
  const secret = randomBytes(32);
  const keys = new Keyring({ find: async () => secret }, () => now);
  const key = async () => {
    const found = await keys.of('ann', 'read');
    if (!(found instanceof SubjectKey)) throw new TypeError('The key is there.');
    return found;
  };
  const isRemembered = (used: SubjectKey) => {
    const stored = event('e');
    remember(keys.recent, used, stored);
    return () => keys.recent.find(stored, used) !== undefined;
  };
  return { keys, key, isRemembered, pass: (ms: number) => (now += ms) };
}

it('an event is found under the key, in the stream and in the texts that it was encrypted with, and not else', () => {
  const key = newKey();
  const recent = holding(key);
  const stored = event('e');
  remember(recent, key, stored);
  expect(recent.find(stored, key)?.data).toBe('said');
  const others = [
    { eventId: 'other' },
    { stream: 'session-2' },
    { type: 'Sung' },
    { data: 'Encrypted' },
    { metadata: '{"keyId":"ann"}' },
  ];
  for (const other of others) expect(recent.find({ ...stored, ...other }, key)).toBeUndefined();
  expect(recent.find(stored, newKey())).toBeUndefined();
});

it('an event with the id of an earlier one, which was not stored, is found in its place', () => {
  const key = newKey();
  const recent = holding(key);
  remember(recent, key, event('e', 'first'));
  remember(recent, key, event('e', 'second'));
  const found = ['first', 'second'].map((data) => recent.find(event('e', data), key)?.data);
  expect(found).toEqual([undefined, 'said']);
});

it('the oldest events leave once all take 4 MiB, and one that would take a quarter of that is not kept', () => {
  const key = newKey();
  const recent = holding(key);
  const events = Array.from({ length: 40 }, (_, index) => event(String(index)));
  for (const stored of events) remember(recent, key, stored, 'x'.repeat(100_000));
  remember(recent, key, event('large'), 'x'.repeat(600_000));
  const kept = [...events, event('large')].filter((stored) => recent.find(stored, key));
  expect(kept).toEqual(events.slice(-20));
});

it('the events of a key are gone once it is forgotten, and those of other keys stay', () => {
  const keys = [newKey(), newKey()] as const;
  const recent = holding(...keys);
  for (const [index, key] of keys.entries()) remember(recent, key, event(`${index}`));
  recent.forget(keys[0]);
  expect(keys.map((key, index) => recent.find(event(`${index}`), key)?.data)).toEqual([undefined, 'said']);
});

it('events leave memory with their key: when it is forgotten, and when its time is over', async () => {
  const { keys, key, isRemembered, pass } = ring();
  const first = isRemembered(await key());
  expect(first()).toBe(true);
  keys.forget('ann');
  expect(first()).toBe(false);
  const second = isRemembered(await key());
  pass(1e6);
  keys.atHand('ann');
  expect(second()).toBe(false);
});

it('a call that still uses a key that has left memory, or was never held, keeps no event', async () => {
  const { keys, key, isRemembered } = ring();
  const left = await key();
  keys.forget('ann');
  const finding = key();
  await keys.renewed('ann');
  const neverHeld = await finding;
  keys.forgetAll();
  expect([left, neverHeld].map((used) => isRemembered(used)())).toEqual([false, false]);
});
