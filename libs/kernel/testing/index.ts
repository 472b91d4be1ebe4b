export { gate } from './gate.js';
export { specify } from './decider-specification.js';
export { folderInMemory, temporaryFolder } from './temporary-folder.js';
