import type { ActivityEvent } from '#lib/workflow';
import type { Event, JsonObject } from '#lib/kernel';
import { bodyOf } from './llm-body.rules.js';
import type { LlmCallRequested } from './llm-call.events.js';
import { emptyLlmMemory, evolveLlmMemory } from './llm-memory.rules.js';

/** The body of the request that is the last of these events of a run. */
export function lastRequestBody(run: readonly Event[]): JsonObject {
  const memory = (run.slice(1) as readonly ActivityEvent[]).reduce(evolveLlmMemory, emptyLlmMemory);
  return bodyOf((run.at(-1) as LlmCallRequested).data, memory);
}

/** The whole bodies of a run's requests to models, as they were sent, by step. */
export function requestBodies(run: readonly Event[]): ReadonlyMap<string, JsonObject> {
  const bodies = new Map<string, JsonObject>();
  let memory = emptyLlmMemory;
  for (const event of run.slice(1)) {
    memory = evolveLlmMemory(memory, event as ActivityEvent);
    if (event.type !== 'LlmCallRequested') continue;
    const { data } = event as LlmCallRequested;
    bodies.set(data.stepId, bodyOf(data, memory));
  }
  return bodies;
}
