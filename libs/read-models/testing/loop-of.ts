import type { LoopModels, ReadModel } from '../loop/declare.js';

/** A loop that fills these models. It loads nothing of jest: built processes have it, too. */
export function loopOf(models: readonly ReadModel[]): LoopModels {
  return { name: 'rows', models };
}
