import type { Outcome } from './activity/activity.js';
import type { ActivityRegistry } from './activity/activity-registry.js';
import type { Json } from '#lib/kernel';
import { type CallStep, type EndStep, type Happened, runInMemory } from './run-in-memory.js';
import { newestVersion } from './workflow-registry.js';
import type { Rules, Seen, Workflow } from './workflow.js';

/** The start of a run without a log. */
export interface OnceInput {
  readonly input: Json;
  readonly facts: { readonly [name: string]: Json };
  readonly context?: Json;
}

/** The calls of a run without a log. */
export interface OnceCalls {
  /** The rules of the activities that the workflow calls. */
  readonly activities: ActivityRegistry;
  /** Never rejects. */
  perform(call: CallStep, signal: AbortSignal): Promise<Outcome>;
  /** Called with every event, in order. */
  heard?(event: Seen): void;
}

/**
 * Runs the newest version of a workflow once, without a log.
 * @param signal cancels the run, as in a log
 * @throws TypeError if it waits for a timer, a person or a child, which need a log
 */
export async function runOnce<State>(
  workflow: Workflow<State>,
  { context, ...given }: OnceInput,
  calls: OnceCalls,
  signal?: AbortSignal,
): Promise<{ readonly state: State; readonly end: EndStep }> {
  const version = newestVersion(workflow);
  const rules = workflow.versions[version] as Rules<State>;
  const data = { workflow: workflow.name, version, ...given };
  const occurredAt = new Date().toISOString();
  const runId = crypto.randomUUID();
  const state = rules.initialState({ type: 'WorkflowStarted', data, occurredAt, runId }, context);
  const events = (activity: string) => calls.activities.named(activity)?.events;
  const inMemory = {
    requested: (activity: string) => events(activity)?.requested ?? '',
    perform: async (call: CallStep, stopped: AbortSignal): Promise<Happened> => {
      const outcome = await calls.perform(call, stopped);
      const { completed = '', failed = '' } = events(call.activity) ?? {};
      return 'completed' in outcome
        ? { type: completed, data: { stepId: call.id, ...outcome.completed } }
        : { type: failed, data: { stepId: call.id, ...outcome.failed } };
    },
    heard: (event: Seen) => calls.heard?.(event),
  };
  return runInMemory(rules, state, inMemory, signal);
}
