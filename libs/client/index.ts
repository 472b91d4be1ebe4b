export {
  type ClientCallOptions,
  type ClientOptions,
  callOverHttp,
  RedialProblem,
  type Route,
} from './call-over-http.js';
export { openLogStream } from './open-log-stream.js';
export type * from './redial-client.generated.js';
export { RedialClient } from './redial-client.js';
