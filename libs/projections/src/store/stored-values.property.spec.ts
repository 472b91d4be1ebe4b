import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { storedText, storedTime, textFromStored, timeFromStored } from './stored-values.js';

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

it('leaves ordinary text as people can read it', () => {
  expect(storedText('Ordinary "text", 漢字 🙂\n')).toBe('Ordinary "text", 漢字 🙂\n');
});

it('keeps a time to the millisecond', () => {
  expect(timeFromStored(storedTime('2026-01-02T03:04:05.678Z'))).toBe('2026-01-02T03:04:05.678Z');
});

it('refuses what is no time', () => {
  expect(() => storedTime('yesterday')).toThrow(/^\[InvalidTime\] time "yesterday"/);
});
