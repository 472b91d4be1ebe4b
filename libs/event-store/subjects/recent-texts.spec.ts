import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { Keyring } from './keyring.js';
import { RecentTexts } from './recent-texts.js';
import { SubjectKey } from './subject-key.js';

const PLACE = { stream: 'session-1', eventId: 'e', pointer: '/data/a' };
const newKey = () => new SubjectKey(randomBytes(32));

/** A memory that holds these keys. */
function holding(...keys: readonly object[]): RecentTexts {
  const recent = new RecentTexts();
  for (const key of keys) recent.hold(key);
  return recent;
}

/** A key ring over one key, and the memory that it gives to keys: whatever was encrypted by them is looked for there. */
function ring() {
  let now = 0;
  const recent = new RecentTexts();
  const secret = randomBytes(32);
  const keys = new Keyring({ find: async () => secret }, () => now, recent);
  const key = async () => {
    const found = await keys.of('ann', 'read');
    if (!(found instanceof SubjectKey)) throw new TypeError('The key is there.');
    return found;
  };
  const isRemembered = (used: SubjectKey) => {
    const encrypted = used.encrypt('"said"', PLACE);
    return () => recent.find(encrypted, used, JSON.stringify(Object.values(PLACE))) !== undefined;
  };
  return { keys, key, isRemembered, pass: (ms: number) => (now += ms) };
}

it('a text is found under the key and at the place that it was encrypted with, and nowhere else', () => {
  const key = newKey();
  const recent = holding(key);
  recent.keep('encrypted', { key, place: 'here', text: 'said' });
  const found = [
    recent.find('encrypted', key, 'here'),
    recent.find('encrypted', key, 'there'),
    recent.find('encrypted', newKey(), 'here'),
    recent.find('other', key, 'here'),
  ];
  expect(found).toEqual(['said', undefined, undefined, undefined]);
});

it('the oldest texts leave once all take 4 MiB, and one that would take a quarter of that is not kept', () => {
  const key = newKey();
  const recent = holding(key);
  const texts = Array.from({ length: 40 }, (_, index) => String(index));
  const keep = (encrypted: string, length: number) =>
    recent.keep(encrypted, { key, place: '', text: 'x'.repeat(length) });
  for (const text of texts) keep(text, 100_000);
  keep('large', 600_000);
  const kept = [...texts, 'large'].filter((text) => recent.find(text, key, '') !== undefined);
  expect(kept).toEqual(texts.slice(-20));
});

it('the texts of a key are gone once it is forgotten, and those of other keys stay', () => {
  const keys = [newKey(), newKey()] as const;
  const recent = holding(...keys);
  for (const [index, key] of keys.entries()) recent.keep(`${index}`, { key, place: '', text: 'said' });
  recent.forget(keys[0]);
  expect(keys.map((key, index) => recent.find(`${index}`, key, ''))).toEqual([undefined, 'said']);
});

it('texts leave memory with their key: when it is forgotten, and when its time is over', async () => {
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

it('a call that still uses a key that has left memory, or was never held, keeps no text', async () => {
  const { keys, key, isRemembered } = ring();
  const left = await key();
  keys.forget('ann');
  const finding = key();
  await keys.renewed('ann');
  const neverHeld = await finding;
  keys.forgetAll();
  expect([left, neverHeld].map((used) => isRemembered(used)())).toEqual([false, false]);
});

it('a value that was encrypted at another place does not open, though its text is still in memory', () => {
  const recent = new RecentTexts();
  const key = new SubjectKey(randomBytes(32), recent);
  recent.hold(key);
  const encrypted = key.encrypt('"said"', PLACE);
  expect(key.decrypt(encrypted, PLACE)).toBe('"said"');
  expect(key.decrypt(encrypted, { ...PLACE, pointer: '/data/b' })).toBeUndefined();
});
