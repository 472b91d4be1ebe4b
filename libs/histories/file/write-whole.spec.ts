import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
import { writeWhole } from './write-whole.js';

async function* parts(text: string, count: number): AsyncGenerator<string> {
  for (let done = 0; done < count; done++) {
    yield text;
    await setImmediate();
  }
}

describe('a file that is written whole', () => {
  let file: string;
  beforeEach(() => {
    file = join(temporaryFolder(), 'below', 'history.jsonl');
  });
  const names = () => readdirSync(dirname(file));

  it('is that of one of its writers, of whatever lengths these write at once, and no other file stays', async () => {
    const written = Array.from({ length: 8 }, (_, n) => ({
      text: `${n}`.repeat(1_000 * (n + 1)),
      count: 30 - n,
    }));
    await Promise.all(written.map(({ text, count }) => writeWhole(file, parts(text, count))));
    expect(written.map(({ text, count }) => text.repeat(count))).toContain(readFileSync(file, 'utf8'));
    expect(names()).toEqual(['history.jsonl']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('is as it was if its texts fail', async () => {
    await writeWhole(file, parts('before', 1));
    const failing = (async function* () {
      yield 'half of it';
      throw new Error('out of luck');
    })();
    await expect(writeWhole(file, failing)).rejects.toThrow('out of luck');
    expect([names(), readFileSync(file, 'utf8')]).toEqual([['history.jsonl'], 'before']);
  });

  it('is not kept from being written by what a process that died has left', async () => {
    await writeWhole(file, parts('before', 1));
    writeFileSync(`${file}.part`, 'half of it');
    await writeWhole(file, parts('after', 1));
    expect(readFileSync(file, 'utf8')).toBe('after');
  });
});
