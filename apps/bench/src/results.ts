import type { Observation } from './comparison.js';
import type { Measured } from './measure.js';

/** The results of benchmarks, in the order they ran. */
export interface Results {
  readonly measured: readonly Measured[];
  readonly observations: readonly Observation[];
}

export function joined(all: readonly Results[]): Results {
  return {
    measured: all.flatMap(({ measured }) => measured),
    observations: all.flatMap(({ observations }) => observations),
  };
}
