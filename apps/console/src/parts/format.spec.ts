import { describe, expect, it } from '@jest/globals';
import { dollars, duration, relative, sentence, whole } from './format.js';
import { commandOf, curlOf } from './shell-words.js';

describe('texts of the console', () => {
  it.each([
    [0, '0 ms'],
    [312.4, '312 ms'],
    [4_200, '4.2 s'],
    [59_000, '59 s'],
    [185_000, '3 min 5 s'],
    [3_600_000, '1 h'],
    [187_200_000, '2 d 4 h'],
  ])('shows %d ms as %s', (ms, text) => {
    expect(duration(ms)).toBe(text);
  });

  it('shows times beside now, amounts and sentences', () => {
    const now = Date.parse('2026-01-01T00:10:00.000Z');
    expect(relative('2026-01-01T00:07:00.000Z', now)).toBe('3 min ago');
    expect(relative('2026-01-01T02:10:00.000Z', now)).toBe('in 2 h');
    expect(relative('2026-01-01T00:09:59.000Z', now)).toBe('now');
    expect([whole(12_400), whole(undefined)]).toEqual(['12\u202F400', '–']);
    expect([dollars(0.00042), dollars(3.5), dollars(undefined)]).toEqual(['$0.00042', '$3.50', '–']);
    expect([sentence('no proposal'), sentence('Why?'), sentence('')]).toEqual(['No proposal.', 'Why?', '']);
  });

  it('writes commands that a shell takes as they are meant, and that hold no token', () => {
    expect(curlOf("http://h/v1/machines/a'b", true)).toBe(
      `curl -H "Authorization: Bearer $REDIAL_API_TOKEN" 'http://h/v1/machines/a'\\''b'`,
    );
    expect(commandOf('http://h', ['inspect', 'a b'], false)).toBe("REDIAL_URL=http://h redial inspect 'a b'");
    expect(commandOf('http://h', ['tasks'], true)).toBe(
      'REDIAL_URL=http://h REDIAL_API_TOKEN="$REDIAL_API_TOKEN" redial tasks',
    );
  });
});
