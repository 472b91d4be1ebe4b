import type { LoopModels, ReadModel } from '../loop/declare.js';
import type { PlacedEvent } from './sample-log.js';

/** An event that models of tests take. */
export function enabled(specialistId: string): PlacedEvent {
  return {
    category: 'specialist',
    id: specialistId,
    event: { type: 'SpecialistEnabled', data: { specialistId } },
  };
}

export type Noting = ReadModel & { readonly taken: string[]; fault?: string };

/** Takes every event of a specialist that its fault lets through, and notes it. */
export function noting(name: string): Noting {
  const taken: string[] = [];
  const model: Noting = {
    name,
    kinds: [],
    taken,
    on: {
      specialist: (_page, _event, id) => {
        if (id === model.fault) throw new Error(`${id} is not welcome`);
        taken.push(id);
      },
    },
  };
  return model;
}

/** A separate loop that stops at an event that its fold refuses. */
export const alone = (model: ReadModel, version = 1): LoopModels => ({
  name: `of ${model.name}`,
  models: [model],
  version,
  stopsAtErrors: true,
});
