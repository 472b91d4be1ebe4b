export * from './code-history.js';
