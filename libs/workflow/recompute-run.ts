import type { Activity, ActivityEvent } from './activity/activity.js';
import type { ActivityRegistry } from './activity/activity-registry.js';
import { firstDifference, type JsonObject, type RecordedEvent } from '#lib/kernel';
import { type Divergence, divergenceFromError, locationOf } from './divergence.js';
import type { WorkflowStarted } from './runtime.events.js';
import type { Verification } from './verify-run.js';

/** The time for all outcomes of a run: a program may be endless native work. */
const MOST_MS = 60_000;

/**
 * Computes the outcomes that follow from their requests alone again, such as the result of a program, and compares them with the record. Stops at the
 * first difference. Outcomes that are left when the signal aborts are taken as they are recorded.
 * @param verified the same history, as pure code derives it
 */
export async function recomputeRun(
  verified: Verification,
  activities: ActivityRegistry<Activity>,
  history: readonly RecordedEvent[],
  signal: AbortSignal = AbortSignal.timeout(MOST_MS),
): Promise<Verification> {
  if (verified.divergence) return verified;
  const counts = { recomputed: 0, notRecomputed: verified.notRecomputed ?? 0 };
  for (const activity of activities.all) {
    if (!activity.recompute) continue;
    for (const call of callsOf(activities, activity, history)) {
      const divergence = await recomputeCall(activity, call, counts, signal);
      if (divergence) return { ...verified, ...counts, divergence };
    }
  }
  return { ...verified, ...counts };
}

interface CompletedCall {
  readonly request: JsonObject;
  readonly completed: RecordedEvent<ActivityEvent>;
  /** The memory right after the request. */
  readonly memory: unknown;
}

function callsOf(
  activities: ActivityRegistry<Activity>,
  { events, memory: rules }: Activity,
  history: readonly RecordedEvent[],
): readonly CompletedCall[] {
  const [start] = history as readonly RecordedEvent<WorkflowStarted>[];
  if (!start) return [];
  const { input, facts } = start.data;
  let memory = rules?.begin({ input, facts, context: null });
  const requests = new Map<string, Pick<CompletedCall, 'request' | 'memory'>>();
  const calls: CompletedCall[] = [];
  for (const event of history as readonly RecordedEvent<ActivityEvent>[]) {
    const { stepId } = event.data;
    if (rules?.evolve && activities.roleOf(event)) memory = rules.evolve(memory, event);
    if (event.type === events.requested) requests.set(stepId, { request: event.data, memory });
    const request = requests.get(stepId);
    if (request && event.type === events.completed) calls.push({ ...request, completed: event });
  }
  return calls;
}

async function recomputeCall(
  activity: Activity,
  { request, completed, memory }: CompletedCall,
  counts: { recomputed: number; notRecomputed: number },
  signal: AbortSignal,
): Promise<Divergence | undefined> {
  try {
    const data = signal.aborted
      ? undefined
      : await activity.recompute?.(request, completed.data, memory, signal);
    counts[data ? 'recomputed' : 'notRecomputed']++;
    const difference = data && firstDifference(completed.data, data, '/data');
    return difference && { ...locationOf(completed), ...difference };
  } catch (error) {
    return divergenceFromError(completed, error);
  }
}
