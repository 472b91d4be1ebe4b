export * from './core.js';
export { HookCalls } from './hook-calls.js';
export { HookReactions } from './hook-reactions.js';
export { HookSecrets } from './hook-secrets.js';
export { Hooks } from './hooks.js';
export * as hooksOperations from './hooks.operations.js';
export { Notices } from './notices.js';
