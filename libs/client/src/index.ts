/**
 * The typed client of a server: a method for each operation. Needs `fetch` alone, so it works in a browser.
 * @packageDocumentation
 */

export {
  type ClientCallOptions,
  type ClientOptions,
  callOverHttp,
  RedialProblem,
  type Route,
} from './call-over-http.js';
export * from './redial-client.generated.js';
