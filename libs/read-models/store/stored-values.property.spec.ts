import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import {
  storedText,
  storedTime,
  storedUuid,
  textFromStored,
  timeFromStored,
  uuidFromStored,
} from './stored-values.js';

const unit = fc.oneof(
  fc.constantFrom('\ud800', '\udfff', '\0', 'json:', 'a', '"'),
  fc.string({ unit: 'grapheme' }),
);
const anyText = fc.array(unit).map((parts) => parts.join(''));

it('gives back every text, from a form that every database can keep', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const stored = storedText(text);
      expect(textFromStored(stored)).toBe(text);
      expect(stored).not.toMatch(/\p{Surrogate}|\0/u);
    }),
  );
});

it('keeps UUIDs in 16 bytes that sort like their texts', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), (one, other) => {
      expect(storedUuid(one)).toHaveLength(16);
      expect(uuidFromStored(storedUuid(one))).toBe(one);
      expect(Buffer.compare(storedUuid(one), storedUuid(other))).toBe(one < other ? -1 : Number(one > other));
    }),
  );
});

it('gives back every other text that stands for a UUID, and takes it for none', () => {
  const uuid = fc.uuid();
  const alike = fc.oneof(
    anyText,
    uuid.map((text) => text.toUpperCase()),
    uuid.map((text) => text.slice(1)),
    // One character is neither a lower-case digit nor, at its place, a hyphen.
    fc
      .tuple(uuid, fc.nat(35), fc.constantFrom('/', ':', '@', 'A', '`', 'g', 'ı', '\u{130}'))
      .map(([text, at, other]) => text.slice(0, at) + other + text.slice(at + 1)),
  );
  fc.assert(
    fc.property(alike, (text) => {
      fc.pre(!/^[0-9-]+$/.test(text));
      expect(uuidFromStored(storedUuid(text))).toBe(text);
      expect(storedUuid(text).length).toBeGreaterThan(16);
    }),
  );
});

it('leaves ordinary text as people can read it', () => {
  expect(storedText('Ordinary "text", 漢字 🙂\n')).toBe('Ordinary "text", 漢字 🙂\n');
});

it('keeps a time to the millisecond', () => {
  expect(timeFromStored(storedTime('2026-01-02T03:04:05.678Z'))).toBe('2026-01-02T03:04:05.678Z');
});

it('refuses what is not a time', () => {
  expect(() => storedTime('yesterday')).toThrow(/^\[InvalidTime\] time "yesterday"/);
});
