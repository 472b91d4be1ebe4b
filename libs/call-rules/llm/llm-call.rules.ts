import type { ActivityRules } from '#lib/workflow';
import type { JsonObject } from '#lib/kernel';
import { readReply } from '../read-reply.js';
import type { StoredReply } from '../read-webhook-text.js';
import { checkBody } from '../recorded-reply.js';
import { type LlmMemory, storedBody } from './llm-body.rules.js';
import { type LlmCallInput, llmEventDefinitions } from './llm-call.events.js';
import { emptyLlmMemory, evolveLlmMemory } from './llm-memory.rules.js';

/** Calls of models, with `LlmCallInput`. Safe to repeat: a call with an unknown reply costs money and changes nothing. */
export const llmCallRules: ActivityRules<LlmMemory> = {
  name: 'llm',
  events: { requested: 'LlmCallRequested', completed: 'LlmCallCompleted', failed: 'LlmCallFailed' },
  definitions: llmEventDefinitions,
  memory: { begin: () => emptyLlmMemory, evolve: evolveLlmMemory },
  request: (input, memory) => {
    const { body, ...details } = input as JsonObject & LlmCallInput;
    return Object.assign(details, storedBody(body, memory));
  },
  checkIntegrity: checkBody,
  keptAfterErasure: (completed) => {
    const { usage } = readReply(completed as StoredReply);
    return usage ? { usage } : {};
  },
  isSafeToRepeat: () => true,
};
