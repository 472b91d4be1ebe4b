import type { RecordedEvent } from '#lib/kernel';
import type { WorkflowForked } from './forks/fork.events.js';
import type { WorkflowStarted } from './runtime.events.js';

/**
 * The people whom `creator` means in a run: the person who started it, and those who forked it or the run or session it works for, if they are
 * known.
 */
export function creatorsIn(history: readonly RecordedEvent[]): readonly string[] {
  const naming = history.filter(
    (event): event is RecordedEvent<WorkflowStarted | WorkflowForked> =>
      event.type === 'WorkflowStarted' || event.type === 'WorkflowForked',
  );
  return naming.reduce(creatorsAfter, [] as readonly string[]);
}

/** `creatorsIn`, after one more event. */
export function creatorsAfter(
  before: readonly string[],
  { data }: WorkflowStarted | WorkflowForked,
): readonly string[] {
  const forkedBy = ('forkedBy' in data && data.forkedBy) || [];
  return [...new Set([...before, ...(data.by === undefined ? [] : [data.by]), ...forkedBy])];
}
