import type { Event, JsonObject } from '#lib/kernel';
import type { Rules, Seen, Step, Workflow } from '../workflow.js';
import { newestVersion } from '../workflow-registry.js';

/** A workflow whose state is its history: its rules are one function of the events so far. */
export function plainWorkflow(
  next: (events: readonly Seen[]) => readonly Step[],
  name = 'plain',
): Workflow<readonly Seen[]> {
  const rules = {
    input: {},
    initialState: (start: Seen) => [start],
    evolve: (events: readonly Seen[], event: Seen) => [...events, event],
    next,
  };
  return { name, events: { Noted: { version: 1 } }, versions: { 1: rules } };
}

/** The newest rules of a workflow, with this context in place of that of a stream. */
export function inContext(workflow: Workflow, context: object): Workflow {
  const version = newestVersion(workflow);
  const rules = workflow.versions[version] as Rules;
  const own: Rules = {
    ...rules,
    initialState: (started) => rules.initialState(started, context as JsonObject),
  };
  return { ...workflow, versions: { [version]: own } };
}

export function count(events: readonly Event[], type: string): number {
  return events.filter((event) => event.type === type).length;
}

export function noted(text: string): Step {
  return { do: 'record', event: { type: 'Noted', data: { text } } };
}

export function call(id: string, input = id): Step {
  return { do: 'call', id, activity: 'echo', input };
}
