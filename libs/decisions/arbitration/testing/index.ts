export { ARBITRATION_ID } from './asking-session.js';
export { fails, play, returns } from './scripted-answers.js';
