import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { printable, printableJson } from './printable.js';

describe('0.2-S7: a text from outside on a terminal', () => {
  it('has no character that controls it', () => {
    expect(printable('a\u001B]52;c;eA==\u0007b\u009B2Jc\u202Ed\u2028e\rf\u007F')).toBe(
      'a\u{FFFD}]52;c;eA==\u{FFFD}b\u{FFFD}2Jc\u{FFFD}d\u{FFFD}e\u{FFFD}f\u{FFFD}',
    );
  });

  it('keeps lines, tabs, letters of every script and joined emoji', () => {
    const text = 'a\n\tb é 漢 می\u200Cخواهم 👩\u200D👧';
    expect(printable(text)).toBe(text);
  });

  it('as JSON means the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const shown = printableJson(JSON.stringify({ text }));
        expect(printable(shown)).toBe(shown);
        expect(JSON.parse(shown)).toEqual({ text });
      }),
    );
  });
});
