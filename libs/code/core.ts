export { type Citation, type CitationAt, Citations, type Source } from './citations.js';
export { CodeResult, type ExecutedIteration } from './code-result.js';
export type { CodeInput, CodeLimits, Exit, Said } from './code.input.js';
export { code } from './code.workflow.js';
export type { Component, Element } from './components.rules.js';
export {
  type CodeExecution,
  type CodeTool,
  executeCode,
  getTypings,
  InvalidCodeExecution,
} from './execute-code.js';
export type { CodeHooks, Hook } from './hook.script.js';
export { ThinkSignal } from './think-signal.js';
