// The part of the command line that other apps use: running and output, not its commands.
export { withEngine, type Engine } from './engine/with-engine.js';
export { withLog } from './engine/with-log.js';
export { settingsFor } from './engine/settings-for.js';
export { exitCodes } from './exit-codes.js';
export { failureOf } from './error-output.js';
export { chatLines } from './format/chat-lines.js';
export { modelLines } from './format/model-lines.js';
export { type Paint, paintFor } from './format/paint.js';
export { replayLines } from './format/replay-lines.js';
export { readJsonFile } from './input/read-json-file.js';
export { readMachineFile } from './input/read-machine-file.js';
export { type Io, printLines, type Sink } from './io.js';
export { packageRoot } from './package-root.js';
export { followSession } from './timeline/follow-session.js';
export { TimelinePrinter } from './timeline/timeline-printer.js';
