export { chose, EVALUATION, evaluated, inputOf, sample } from '../evaluations/testing/evaluated.js';
export { bodyOf, fileWith, historyFile, opened, resummed } from '../file/testing/history-files.js';
