// The part of the command line that other apps use: running and output, not its commands.
export { withEngine, type Engine } from './engine/with-engine.js';
export { settingsFor, withLog } from './engine/with-log.js';
export { InvalidInput } from './error-classes.js';
export { exitCodes } from './exit-codes.js';
export { failureOf } from './error-output.js';
export { listLines } from './format/lists.js';
export { chatLines } from './format/conversations.js';
export { namedReplayLines } from './format/replay-lines.js';
export { readJsonFile } from './input/read-json.js';
export { readMachineFile } from './input/read-machine-file.js';
export { type Io, type Paint, paintFor, printLines, type Sink } from './io.js';
export { packageRoot } from './package-root.js';
export { followTimeline } from './timeline/session-timeline.js';
export { terminal } from './terminal.js';
export { TimelinePrinter } from './timeline/timeline-printer.js';
