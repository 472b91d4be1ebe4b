import { type EventLog, ForeignPosition, parsePosition, type Position } from '#lib/event-store';
import { httpProblem } from '#lib/engine/core';
import { ProblemError } from '../problems/problem-error.js';

/** The header with the position of the last event that was appended for the call. */
export const REDIAL_POSITION = 'Redial-Position';

/** The position in this parameter or header. @throws ProblemError 400 that names it */
function positionFrom(name: string, text: string, log: EventLog): Position {
  try {
    return parsePosition(log.store.logId, text);
  } catch (error) {
    if (!(error instanceof ForeignPosition)) throw error;
    const { status, code, errors } = error.answer;
    const at = errors.map((problem) => ({ ...problem, path: `/${name}` }));
    throw new ProblemError(httpProblem(status, code, error.message, { errors: at }));
  }
}

/** @throws ProblemError 400 for a text that is not a position of this log */
export function checkMinPosition(text: string | undefined, log: EventLog): void {
  if (text !== undefined) positionFrom('minPosition', text, log);
}

/** The position after which a stream resumes. A client that reconnects sends it in the header; its URL is unchanged. */
export function startAfter(
  header: string | undefined,
  parameter: string | undefined,
  log: EventLog,
): Position | undefined {
  if (header !== undefined) return positionFrom('Last-Event-ID', header, log);
  return parameter === undefined ? undefined : positionFrom('lastEventId', parameter, log);
}
