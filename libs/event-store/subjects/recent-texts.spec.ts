import { randomBytes } from 'node:crypto';
import { expect, it, jest } from '@jest/globals';
import { Keyring } from './keyring.js';
import { RecentTexts } from './recent-texts.js';
import { SubjectKey } from './subject-key.js';

const newKey = () => new SubjectKey(randomBytes(32));

it('a text is found under the key and at the place that it was encrypted with, and nowhere else', () => {
  const recent = new RecentTexts();
  const key = newKey();
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
  const recent = new RecentTexts();
  const key = newKey();
  const texts = Array.from({ length: 40 }, (_, index) => String(index));
  const keep = (encrypted: string, length: number) =>
    recent.keep(encrypted, { key, place: '', text: 'x'.repeat(length) });
  for (const text of texts) keep(text, 100_000);
  keep('large', 600_000);
  const kept = [...texts, 'large'].filter((text) => recent.find(text, key, '') !== undefined);
  expect(kept).toEqual(texts.slice(-20));
});

it('texts leave memory with their key: when it is forgotten, and when its time is over', async () => {
  const forget = jest.spyOn(RecentTexts.prototype, 'forget');
  let now = 0;
  const keys = new Keyring({ find: async () => randomBytes(32) }, () => now);
  const forgotten = await keys.of('a', 'read');
  keys.forget('a');
  const expired = await keys.of('b', 'read');
  now = 1e6;
  expect(keys.atHand('b')).toBeUndefined();
  expect(forget.mock.calls).toEqual([[forgotten], [expired]]);
  keys.forgetAll();
});

it('a value that was encrypted at another place does not open, though its text is still in memory', () => {
  const key = new SubjectKey(randomBytes(32), new RecentTexts());
  const place = { stream: 'session-1', eventId: 'e', pointer: '/data/a' };
  const encrypted = key.encrypt('"said"', place);
  expect(key.decrypt(encrypted, place)).toBe('"said"');
  expect(key.decrypt(encrypted, { ...place, pointer: '/data/b' })).toBeUndefined();
});
