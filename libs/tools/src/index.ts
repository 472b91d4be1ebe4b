/**
 * Tools: their versions, and the rules of one call.
 * @packageDocumentation
 * @experimental Names and shapes may change in any minor release before 1.0.
 */

export * from './core.js';
export { instancesIn } from './instances-in.js';
export { type DeclaredTool, RedialTool, type RedialToolOptions, toolsOf } from './redial-tool.decorator.js';
export { ToolFacts } from './tool-facts.js';
export * as toolOperations from './tools.operations.js';
export type { ToolView } from './tools.views.js';
export { ToolFunctions, registerDeclaredTools } from './tool-functions.js';
