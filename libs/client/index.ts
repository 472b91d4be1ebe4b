export {
  type ClientCallOptions,
  type ClientOptions,
  callOverHttp,
  RedialProblem,
  type Route,
} from './call-over-http.js';
export { exportedText } from './exported-text.js';
export { type EventFollower, followEvents, followLog, type LogFollower } from './follow-log.js';
export type * from './redial-client.generated.js';
export { RedialClient } from './redial-client.js';
