export * from './core.js';
export { RedialTool, type RedialToolOptions, type DeclaredTool, toolsOf } from './redial-tool.decorator.js';
export { ToolFunctions, registerDeclaredTools } from './tool-functions.js';
export * as toolOperations from './tools.operations.js';
export type { ToolView } from './tools.views.js';
