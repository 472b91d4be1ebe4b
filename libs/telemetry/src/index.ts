export { noticeOf, stoppedLine } from './notices.rules.js';
export { type Attributes, type ExportSpans, type Span, SpansRefused } from './span.js';
export { spansOfRun } from './spans-of-run.rules.js';
export { TraceExport, type TraceExportParts } from './trace-export.js';
export { runsToExport, tracesProjection } from './traces.read-model.js';
