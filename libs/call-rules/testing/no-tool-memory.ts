import { noArguments } from '../asked-arguments.rules.js';
import type { ToolCallMemory } from '../tool-call.rules.js';

/** Of a run that was given nothing and asked no model. */
export const noToolMemory: ToolCallMemory = {
  asked: noArguments,
  given: { input: null, facts: null, context: null },
};
