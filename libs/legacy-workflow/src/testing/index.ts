export { playScript, playWorkflow } from './play-workflow.js';
export { recordedEvents } from './recorded-events.js';
export { ScriptedActivities, type ScriptedOutcome } from './scripted-activities.js';
export { SettableClock } from './settable-clock.js';
