import { randomBytes } from 'node:crypto';
import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { sha256 } from '#lib/kernel';
import { ERASED } from './encrypted-members.js';
import { HELD_MS, KeyMissing, Keyring, type KeySource } from './keyring.js';

type Found = Awaited<ReturnType<KeySource['find']>>;

class Source implements KeySource {
  found: Found = randomBytes(32);
  looked = 0;
  /** Settles the promises that `find` has returned. */
  answer: () => void = () => undefined;

  find(): Promise<Found> {
    this.looked += 1;
    const { found } = this;
    return new Promise((resolve) => {
      this.answer = () => resolve(found);
    });
  }
}

const NO_SOURCE = new Source();

describe('the keys of subjects in memory', () => {
  const source = new Source();
  let now = 0;
  const keys = new Keyring(source, () => now);
  /** In two steps, so that a look-up in between is answered before the end. */
  const pass = async (ms: number) => {
    for (const step of [ms - 1_000, 1_000]) {
      now += step;
      mock.timers.tick(step);
      await setImmediate();
    }
  };
  const found = async () => {
    const key = keys.of('ann', 'it was not read');
    source.answer();
    return key;
  };

  it('are asked for once by all who need one at the same time', async () => {
    const both = [keys.of('ann', 'a'), keys.of('ann', 'b')];
    source.answer();
    const [one, other] = await Promise.all(both);
    expect(one).toBe(other);
    expect(source.looked).toBe(1);
    expect(keys.atHand('ann')).toBe(one);
  });

  it('are looked up again after a while: so another process finds that the subject was erased', async () => {
    source.found = ERASED;
    now += HELD_MS - 1;
    expect(await found()).not.toBe(ERASED);
    now += 1;
    expect(keys.atHand('ann')).toBeUndefined();
    expect(await found()).toBe(ERASED);
  });

  it('that are used stay in memory, looked up again in time: until they are not found, or not used', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const gone: string[] = [];
    const own = new Keyring(NO_SOURCE, () => now);
    let key: Found = randomBytes(32);
    let looked = 0;
    own.use({ find: () => Promise.resolve((looked++, key)) }, true, (subject) => gone.push(subject));
    const first = await own.of('bob', 'it was not read');
    for (let renewed = 1; renewed <= 3; renewed++) {
      expect(own.atHand('bob')).toBe(first);
      await pass(HELD_MS - 1_000);
      expect([looked, gone]).toEqual([1 + renewed, []]);
    }
    key = ERASED;
    expect(own.atHand('bob')).toBe(first);
    await pass(HELD_MS);
    expect([own.atHand('bob'), looked, gone]).toEqual([undefined, 5, ['bob']]);
    key = randomBytes(32);
    await own.of('bob', 'it was not read');
    await pass(HELD_MS);
    expect([own.atHand('bob'), looked, gone]).toEqual([undefined, 6, ['bob', 'bob']]);
    mock.timers.reset();
  });

  it('are not kept by a search that began before they were forgotten', async () => {
    source.found = randomBytes(32);
    keys.forget('ann');
    const before = keys.of('ann', 'it was not read');
    keys.forget('ann');
    source.answer();
    expect(await before).not.toBe(ERASED);
    expect(keys.atHand('ann')).toBeUndefined();
  });

  it('are looked up on demand: one that is the same stays with all that it has decrypted, another one leaves', async () => {
    const gone: string[] = [];
    const own = new Keyring(NO_SOURCE, () => now);
    let key: Found = randomBytes(32);
    own.use({ find: () => Promise.resolve(key) }, true, (subject) => gone.push(subject));
    const first = await own.of('bob', 'it was not read');
    now += HELD_MS - 1;
    expect(await own.renewed('bob')).toBe(first);
    now += HELD_MS - 1;
    expect([own.atHand('bob'), gone]).toEqual([first, []]);
    key = ERASED;
    expect(await own.renewed('bob')).toBe(ERASED);
    expect([own.atHand('bob'), gone]).toEqual([ERASED, ['bob']]);
    key = undefined;
    expect(await own.renewed('bob')).toBeUndefined();
    expect(own.atHand('bob')).toBeUndefined();
  });

  it('that are missing are an error which names what could not be done', async () => {
    source.found = undefined;
    await expect(found()).rejects.toThrow(KeyMissing);
    await expect(found()).rejects.toThrow(
      '[KeyMissing] it was not read: subject ann: its key is not in the key store',
    );
  });

  it('make the ids of events: without a subject by a plain hash, of an erased one without content', async () => {
    const digests = async () => {
      const digest = keys.digestOf('ann');
      source.answer();
      return (await digest)('content');
    };
    expect((await keys.digestOf(undefined))('content')).toBe(sha256('content'));
    expect(keys.digestAtHand(undefined)?.('content')).toBe(sha256('content'));
    expect(keys.digestAtHand('ann')).toBeUndefined();
    source.found = randomBytes(32);
    const made = await digests();
    expect(made).toBe(await digests());
    expect(made).not.toBe(sha256('content'));
    source.found = ERASED;
    keys.forget('ann');
    expect(await digests()).toBe(ERASED);
  });
});
