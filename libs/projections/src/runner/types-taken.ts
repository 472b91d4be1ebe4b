import type { Projection } from './projection.js';

/** The types of events that can change a projection's rows; `undefined` where it takes every event of some category. */
export function typesTaken({ on, onRuns }: Pick<Projection, 'on' | 'onRuns'>): readonly string[] | undefined {
  const handlers = [...Object.values(on), ...(onRuns ? [onRuns('')] : [])];
  if (handlers.some((handler) => typeof handler === 'function')) return undefined;
  return handlers.flatMap((byType) =>
    Object.entries(byType).flatMap(([type, handler]) => (handler ? [type] : [])),
  );
}
