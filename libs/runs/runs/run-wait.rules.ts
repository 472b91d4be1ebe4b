import type { SeenDoc } from '#lib/read-models';
import type { OpenStep, openRuns } from './runs.tables.js';

/** Of a run that has ended. */
export const NO_WAIT = { isWaiting: false, isTimed: false, dueAt: undefined };

/** The columns of a run that follow from its open steps. */
export function waitOf({ steps, isToSettle, isWithdrawn }: SeenDoc<(typeof openRuns)['table']>) {
  const has = (kind: OpenStep['kind']) => steps.some((one) => one.kind === kind);
  const due = steps.flatMap(({ dueAt }) => dueAt ?? []);
  const hasWork = has('call') || steps.some(({ kind, isStarted }) => kind === 'child' && !isStarted);
  return {
    isWaiting: has('await') && !has('call'),
    wakes: isToSettle || isWithdrawn || hasWork,
    isTimed: !isToSettle && !isWithdrawn && !has('call') && !has('child'),
    dueAt: due.length === 0 ? undefined : Math.min(...due),
  };
}
