export { specify } from './decider-specification.js';
export { temporaryFolder } from './temporary-folder.js';
