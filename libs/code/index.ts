export * from './core.js';
export * as codeOperations from './iterations.operations.js';
export * as transcriptOperations from './transcript.operations.js';
