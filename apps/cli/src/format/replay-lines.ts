import { jsonLine, oneLine } from '#lib/kernel';
import type { LogReplayReport } from '#lib/engine/core';
import type { ReplayReportBody } from '#lib/operations';
import type { Paint } from '../io.js';

/** The lines of one history among others: each ends with the name of the history. */
export function namedReplayLines(report: LogReplayReport, paint: Paint): readonly string[] {
  return replayLines(report, paint).map((line) => `${line}  ${nameOf(report)}`);
}

function nameOf(report: LogReplayReport): string {
  if ('sessionId' in report) return `session ${report.sessionId}`;
  if ('experimentId' in report) return `experiment ${report.experimentId}`;
  return `conversation ${report.conversationId}`;
}

/** `replay: identical (N events, 0 calls)`, as a replay makes no call, or a line for each stream that diverges. */
export function replayLines(
  report: ReplayReportBody & { readonly erased?: number },
  paint: Paint,
): readonly string[] {
  if (report.identical) {
    const events = report.eventsChecked + report.eventsTaken;
    const open = report.open > 0 ? `, ${report.open} not finished yet` : '';
    const erased = report.erased
      ? `, ${report.erased} streams without content: only their structure was checked`
      : '';
    return [`${paint('green', 'replay: identical')} (${events} events, 0 calls)${open}${erased}`];
  }
  return report.divergences.map(({ stream, revision, pointer, recorded, replayed, waiting }) => {
    const location = [`revision ${revision}`, ...(pointer === '' ? [] : [oneLine(pointer)])].join(' ');
    const difference = `recorded ${jsonLine(recorded)} replayed ${jsonLine(replayed)}`;
    const open = waiting ? `, while waiting for ${oneLine(waiting.join(', '))}` : '';
    return `${paint('red', 'diverges')} at ${stream} ${location}: ${difference}${open}`;
  });
}
