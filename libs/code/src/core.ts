export { type Citation, type CitationAt, Citations, type Source } from './citations.js';
export type { CodeHooks, Hook } from './hook.rules.js';
export type { Component, Element } from './components.rules.js';
export type { CodeInput, CodeLimits, Exit, Said } from './code.input.js';
export { code } from './code.workflow.js';
