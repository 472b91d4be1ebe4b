import type { JsonObject } from '#lib/kernel';
import type { ToolFact, ToolPolicy } from '../core.js';

/** A function as a tool, as the start of a run records it. */
export function tool(toolId: string, policy: ToolPolicy = {}, result?: JsonObject): ToolFact {
  return {
    toolId,
    version: 1,
    description: `Does ${toolId}`,
    parameters: { type: 'object', properties: { order: { type: 'integer' } }, required: ['order'] },
    execution: { fnName: toolId },
    policy,
    ...(result && { result }),
  };
}
