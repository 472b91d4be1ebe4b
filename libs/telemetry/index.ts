export { noticeOf, standsStillLine, stoppedLine } from './notices.rules.js';
export { type ExportSpans, type Span, SpansRefused } from './span.js';
export { TraceExport } from './trace-export.js';
export { runsToExport, tracesLoop } from './traces.read-model.js';
