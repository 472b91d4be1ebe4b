// Opens the log and its rows, by the settings. `redial inspect` and the other reading commands load no more of the engine.
export { eventCatalogue } from './module/event-catalogue.js';
export { type TakenLog, takeLog } from './module/log-claim.js';
export { type LogLocation, openEventLog, openEventStore } from './module/open-event-log.js';
export { openReadStore, projectionRunner } from './module/open-read-side.js';
export { EngineSettings } from './settings/engine-settings.js';
export { type LogReplayReport, verifyLog } from './verify-log.js';
export { InvalidSetting } from './settings/defaults.js';
export { type Environment, type LogLevel, readEnvironment } from './settings/environment.js';
export { redactorOf } from './settings/redactor-of.js';
export { optionsFrom, withOptions } from './settings/options-from.js';
export type { RedialOptions } from './settings/redial-options.js';
