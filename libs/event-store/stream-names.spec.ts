import { describe, expect, it } from '@jest/globals';
import { StreamNames } from './stream-names.js';

describe('StreamNames', () => {
  it('names streams by prefix, category and id, and reads the names back', () => {
    const names = new StreamNames('shop_');
    const name = names.of('session', 'a-b');
    expect(name).toBe('shop_session-a-b');
    expect(names.parse(name)).toEqual({ category: 'session', id: 'a-b' });
  });

  it('has the prefix redial_ when none is set', () => {
    expect(new StreamNames().of('machine', 'm')).toBe('redial_machine-m');
  });

  it('does not take the stream of somebody else for its own', () => {
    const names = new StreamNames();
    for (const other of ['other_session-1', '$ce-redial_session', 'redial_session', '']) {
      expect(names.parse(other)).toBeUndefined();
    }
  });

  it('takes any machine name as an id', () => {
    const names = new StreamNames();
    expect(names.parse(names.of('machine', 'a-b.c@d'))).toEqual({ category: 'machine', id: 'a-b.c@d' });
  });

  it.each(['a-b', 'a b', 'é', 'x'.repeat(65)])('refuses the prefix %j', (prefix) => {
    expect(() => new StreamNames(prefix)).toThrow(/^\[InvalidStreamPrefix\] .*REDIAL_STREAM_PREFIX/);
  });
});
