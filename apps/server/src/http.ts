/**
 * The HTTP API of an engine in a Nest application.
 * @packageDocumentation
 * @experimental Names and shapes may change in any minor release before 1.0.
 */
export type { RedialHttpOptions } from './mounted/mounted-options.js';
export { RedialHttpModule } from './mounted/redial-http.module.js';
