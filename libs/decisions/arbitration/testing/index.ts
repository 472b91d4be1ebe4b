export { type Arbiter, ARBITRATION_ID, askingSession, byFunction, byWebhook } from './asking-session.js';
export { arbitrated, fails, play, replies, returns } from './scripted-answers.js';
