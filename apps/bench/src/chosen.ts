import { RedialError } from '#lib/kernel';
import type { Benchmark } from './comparison.js';

class UnknownBenchmark extends RedialError {}

/** The benchmarks of these names, in their usual order; all of them without names. @throws UnknownBenchmark */
export function chosen(all: readonly Benchmark[], names: readonly string[]): readonly Benchmark[] {
  const known = all.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new UnknownBenchmark(
      `benchmark ${unknown}`,
      'there is none of this name',
      `Name some of ${known.join(', ')}`,
    );
  }
  return names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
}
