import { describe, expect, it } from '@jest/globals';
import { benchmarks } from './benchmarks.js';
import { chosen } from './chosen.js';

describe('the choice of benchmarks', () => {
  it('is all of them without names, but those that want to be named', () => {
    const left = benchmarks.filter((benchmark) => !chosen(benchmarks, []).includes(benchmark));
    expect(left).toEqual(benchmarks.filter(({ onlyByName }) => onlyByName));
    const names = left.map(({ name }) => name);
    expect(names).toContain('long-session');
    expect(chosen(benchmarks, names)).toEqual(left);
  });

  it('keeps the usual order', () => {
    const names = chosen(benchmarks, ['replay', 'append-sequential']).map(({ name }) => name);
    expect(names).toEqual(['append-sequential', 'replay']);
  });

  it('takes a group for all that are in it', () => {
    const names = chosen(benchmarks, ['eventstoredb']).map(({ name }) => name);
    expect(names).toEqual([
      'eventstoredb-append',
      'eventstoredb-read',
      'eventstoredb-decision',
      'project-on-postgres',
    ]);
  });

  it('refuses a name that no benchmark has', () => {
    expect(() => chosen(benchmarks, ['replay', 'constructor'])).toThrow(
      '[UnknownBenchmark] benchmark constructor: there is none of this name.',
    );
  });
});
