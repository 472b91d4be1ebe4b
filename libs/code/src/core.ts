export type { CodeInput, CodeLimits, Exit } from './code.input.js';
export { code } from './code.workflow.js';
