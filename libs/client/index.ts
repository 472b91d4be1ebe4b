export {
  type ClientCallOptions,
  type ClientOptions,
  callOverHttp,
  RedialProblem,
  type Route,
} from './call-over-http.js';
export * from './redial-client.generated.js';
