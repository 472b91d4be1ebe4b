import { describe, expect, it } from '@jest/globals';
import { Fingerprints, isSameInput } from './fingerprint.js';
import { sha256 } from './hashes.js';

const input = { approved: true };
const own = new Fingerprints('a key of the log');
const elsewhere = new Fingerprints('a key of another log');

describe('0.2-O14 the fingerprint of a keyed input', () => {
  it('is the same for the same input under the same key, and tells nothing without the key', () => {
    expect(own.of(input).text).toBe(new Fingerprints('a key of the log').of({ approved: true }).text);
    expect(own.of(input).text).not.toBe(elsewhere.of(input).text);
    expect(own.of(input).text).toMatch(/^hmac:[0-9a-f]{8}:[\w-]{43}$/);
    expect(own.of(input).text).not.toContain(sha256(JSON.stringify(input)));
  });

  it.each([
    ['its own', own.of(input).text, true],
    ['that of another input', own.of({ approved: false }).text, false],
    ['the plain SHA-256 of 0.2', sha256(JSON.stringify(input)), true],
    ['the plain SHA-256 of another input', sha256('{"approved":false}'), false],
    ['one under a key that is lost or in another key store', elsewhere.of({ approved: false }).text, true],
    ['none', undefined, false],
    ['a text of another form', 'hmac:', false],
  ])('matches %s: %s is %s', (_, recorded, matches) => {
    expect(own.of(input).matches(recorded)).toBe(matches);
    expect(isSameInput(own.of(input), recorded)).toBe(matches);
  });

  it('is compared under the key of a log that was copied, if that key is there', () => {
    const copied = new Fingerprints('a key of the copy', ['a key of the log']);
    expect(copied.of(input).text).not.toBe(own.of(input).text);
    expect(copied.of(input).matches(own.of(input).text)).toBe(true);
    expect(copied.of({ approved: false }).matches(own.of(input).text)).toBe(false);
  });

  it('matches no record of a call without a key, whose calls match each other', () => {
    expect(isSameInput(undefined, own.of(input).text)).toBe(false);
    expect(isSameInput(undefined, undefined)).toBe(true);
  });
});
