import { describe, expect, it } from '@jest/globals';
import { Redactor } from './redactor.js';

const SECRET = 'sk-canary-0123456789';

describe('Redactor', () => {
  it('replaces every exact occurrence', () => {
    expect(new Redactor([SECRET]).text(`${SECRET},Bearer ${SECRET}.`)).toBe('[REDACTED],Bearer [REDACTED].');
  });

  it('knows a secret as JSON strings and URLs spell it', () => {
    const secret = 'pass/word+"é\\=1';
    const redactor = new Redactor([secret]);
    const spelled = [JSON.stringify(secret), JSON.stringify(secret).replaceAll('/', '\\/')];
    expect(spelled.map((text) => redactor.text(text))).toEqual(['"[REDACTED]"', '"[REDACTED]"']);
    expect(redactor.text(`?k=${encodeURIComponent(secret)}&l=1`)).toBe('?k=[REDACTED]&l=1');
  });

  it('takes the longer of two secrets that share a part', () => {
    expect(new Redactor([SECRET, `${SECRET}-and-more`]).text(`${SECRET}-and-more`)).toBe('[REDACTED]');
  });

  it('leaves secrets of fewer than 8 characters alone', () => {
    const redactor = new Redactor(['', 'a', 'ollama1', 'eight888']);
    expect(redactor.text('a banana, ollama1, eight888')).toBe('a banana, ollama1, [REDACTED]');
  });

  it('returns a text without secrets unchanged', () => {
    const bytes = Buffer.from([0xff, 0x00, 0xc3]);
    expect(new Redactor([SECRET]).bytes(bytes)).toBe(bytes);
  });

  it('finds secrets among bytes that are no text', () => {
    const redacted = new Redactor([SECRET, 'schlüssel-1']).bytes(
      Buffer.concat([Buffer.from([0xff]), Buffer.from(`${SECRET}schlüssel-1`), Buffer.from([0xfe])]),
    );
    expect(redacted).toEqual(
      Buffer.concat([Buffer.from([0xff]), Buffer.from('[REDACTED][REDACTED]'), Buffer.from([0xfe])]),
    );
  });

  it('goes through every string of a JSON value, names of members too', () => {
    const value = { [SECRET]: [SECRET, { a: SECRET, b: 1, c: null, d: undefined }], __proto__: null };
    expect(JSON.stringify(new Redactor([SECRET]).json(value))).toBe(
      '{"[REDACTED]":["[REDACTED]",{"a":"[REDACTED]","b":1,"c":null}]}',
    );
  });
});
