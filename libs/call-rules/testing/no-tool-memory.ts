import { noArguments } from '../asked-arguments.rules.js';
import type { ToolCallMemory } from '../tool-call.rules.js';

/** The memory of a run without given values and without replies of models. */
export const noToolMemory: ToolCallMemory = {
  asked: noArguments,
  given: { input: null, facts: null, context: null },
};
