import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { SubjectKey } from './subject-key.js';

const nonceOf = (encrypted: string) => Buffer.from(encrypted, 'base64').toString('hex', 0, 12);

describe('the key of a subject', () => {
  const key = new SubjectKey(randomBytes(32));
  const event = { stream: 's', eventId: 'e' };
  const manyTexts = fc.dictionary(fc.string(), fc.string(), { minKeys: 1 });

  it('opens what it has encrypted, each text at its own pointer only', () => {
    fc.assert(
      fc.property(manyTexts, (texts) => {
        const encrypted = key.encryptAll(new Map(Object.entries(texts)), event);
        const opened = Object.keys(texts).map((pointer, index) =>
          key.decrypt(encrypted[index] ?? '', { ...event, pointer }),
        );
        expect(opened).toEqual(Object.values(texts));
        expect(
          key.decrypt(encrypted[0] ?? '', { ...event, pointer: 'elsewhere '.repeat(9) }),
        ).toBeUndefined();
      }),
    );
  });

  it('uses no nonce twice: within an event, in another event, and when one of the texts differs', () => {
    const texts = new Map(Array.from({ length: 500 }, (_, index) => [`/data/${index}`, 'same']));
    const changed = new Map(texts).set('/data/499', 'other');
    const encrypted = [
      key.encryptAll(texts, event),
      key.encryptAll(texts, { ...event, eventId: 'f' }),
      key.encryptAll(changed, event),
    ].flat();
    expect(new Set(encrypted.map(nonceOf)).size).toBe(1500);
  });

  it('encrypts the same texts of an event the same way again', () => {
    const texts = new Map([['/data/a', 'x']]);
    expect(key.encryptAll(texts, event)).toEqual(key.encryptAll(texts, event));
  });
});
