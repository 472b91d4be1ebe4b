export { eventCatalogue } from './module/event-catalogue.js';
export { type TakenLog, takeLog, whyUnclaimed } from './module/log-claim.js';
export { type LogLocation, openEventLog, openEventStore } from './module/open-event-log.js';
export { copyKeys, rotateKeys, subjectKeys } from './module/open-subject-keys.js';
export { folded, openReadStore, projectionRunner } from './module/open-read-side.js';
export { DuplicateHandler } from './module/refuse-duplicate-handlers.js';
export { type HttpProblem, httpProblem, problemFor, problemOf } from './problem.js';
export { type LogRange, rangesOf } from './replay/log-ranges.js';
export { verifyAll, verifyEach } from './replay/verify-all.js';
export { InvalidSetting } from './settings/setting.js';
export { EngineSettings } from './settings/engine-settings.js';
export {
  type Environment,
  type LogLevel,
  readEnvironment,
  REQUEST_PATIENCE_MS,
} from './settings/environment.js';
export { optionsFrom, withOptions } from './settings/options-from.js';
export { redactorOf } from './settings/redactor-of.js';
export type { RedialOptions } from './settings/redial-options.js';
export { agentProblemsWith, machineProblemsWith } from './settings/registered-functions.js';
export { type LogReplayReport, verifyLog } from './verify-log.js';
