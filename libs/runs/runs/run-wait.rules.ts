import type { SeenDoc } from '#lib/read-models';
import type { OpenStep, openRuns } from './runs.tables.js';

/** The due time of a run that a driver has to look at now. */
export const DUE_NOW = 0;

/** The columns of a run that has ended. */
export const NO_WAIT = { isWaiting: false, isTimed: false, dueAt: undefined };

/** The columns of a run that follow from its open steps. */
export function waitOf({ steps, isToSettle, isWithdrawn }: SeenDoc<(typeof openRuns)['table']>) {
  const has = (kind: OpenStep['kind']) => steps.some((one) => one.kind === kind);
  const due = steps.flatMap(({ dueAt }) => dueAt ?? []);
  const hasWork = has('call') || steps.some(({ kind, isStarted }) => kind === 'child' && !isStarted);
  if (isToSettle || isWithdrawn || hasWork) due.push(DUE_NOW);
  return {
    isWaiting: has('await') && !has('call'),
    isTimed: !isToSettle && !isWithdrawn && !has('call') && !has('child'),
    dueAt: due.length === 0 ? undefined : Math.min(...due),
  };
}
