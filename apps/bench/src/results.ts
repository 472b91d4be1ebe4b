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

/** Whether a goal was set and not met. */
export function isMissed(result: Measured | Observation): boolean {
  if ('ratio' in result) return result.goal !== undefined && result.ratio < result.goal;
  return result.atMost !== undefined && result.value > result.atMost;
}

/** The names of those whose goal was not met. */
export function missed({ measured, observations }: Results): readonly string[] {
  return [...measured, ...observations].filter(isMissed).map(({ name }) => name);
}
