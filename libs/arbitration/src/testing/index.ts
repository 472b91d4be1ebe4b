export { ARBITRATION_ID, arbitrationStarted, byFunction, byWebhook, context } from './arbitration-started.js';
export { arbitrated, samples } from './sample-histories.js';
export { fails, replies, returns } from './scripted-answers.js';
