import { RedialError } from '#lib/kernel';
import type { Benchmark } from './comparison.js';

class UnknownBenchmark extends RedialError {}

/**
 * The benchmarks and groups of these names, in the usual order; without names all except those with `onlyByName`.
 * @throws UnknownBenchmark
 */
export function chosen(all: readonly Benchmark[], names: readonly string[]): readonly Benchmark[] {
  const known = [...new Set(all.flatMap(namesOf))];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new UnknownBenchmark(
      `benchmark ${unknown}`,
      'there is none of this name',
      `Name some of ${known.join(', ')}`,
    );
  }
  if (names.length === 0) return all.filter(({ onlyByName }) => !onlyByName);
  return all.filter((benchmark) => namesOf(benchmark).some((name) => names.includes(name)));
}

function namesOf({ name, group }: Benchmark): readonly string[] {
  return group === undefined ? [name] : [group, name];
}
