import base from './jest.config.mjs';

/** Records the golden histories of this version anew: after a change of event shapes before they are released. */
/** @type {import('jest').Config} */
export default { ...base, testRegex: String.raw`\.record\.ts$`, testTimeout: 300_000 };
