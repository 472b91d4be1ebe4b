import type { LoopModels, ReadModel } from '../loop/declare.js';

/** A loop that fills these models. It does not load jest: built processes use it, too. */
export function loopOf(models: readonly ReadModel[]): LoopModels {
  return { name: 'rows', models };
}
