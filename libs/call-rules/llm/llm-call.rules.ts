import type { ActivityRules } from '#lib/workflow';
import type { JsonObject } from '#lib/kernel';
import { damagedBody } from '../recorded-reply.js';
import { type LlmMemory, storedBody } from './llm-body.rules.js';
import type { LlmCallInput } from './llm-call.events.js';
import { emptyLlmMemory, evolveLlmMemory } from './llm-memory.rules.js';

/** Calls of models, with `LlmCallInput`. Safe to repeat: a call whose reply is not known costs money and changes nothing. */
export const llmCallRules: ActivityRules<LlmMemory> = {
  name: 'llm',
  events: { requested: 'LlmCallRequested', completed: 'LlmCallCompleted', failed: 'LlmCallFailed' },
  definitions: {
    LlmCallRequested: { version: 1 },
    LlmCallCompleted: { version: 1 },
    LlmCallFailed: { version: 1 },
    // Derived: a call moves to a backup model, or a family to the next rung of its ladder.
    FallbackTaken: { version: 1 },
  },
  memory: { begin: () => emptyLlmMemory, evolve: evolveLlmMemory },
  request: (input, memory) => {
    const { body, ...details } = input as JsonObject & LlmCallInput;
    return Object.assign(details, storedBody(body, memory));
  },
  checkIntegrity: ({ data }) => {
    const damage = damagedBody(data);
    return damage && { ...damage, pointer: `/data${damage.pointer}` };
  },
  isSafeToRepeat: () => true,
};
