import { type EventLog, ForeignPosition, parsePosition, type Position } from '#lib/event-store';
import { foreignPosition } from '#lib/engine';
import { ProblemError } from '../problems/problem-error.js';

/** A position that came in this parameter or header. @throws ProblemError 400 that names it */
export function positionFrom(name: string, text: string, log: EventLog): Position {
  try {
    return parsePosition(log.store.logId, text);
  } catch (error) {
    throw error instanceof ForeignPosition ? new ProblemError(foreignPosition(error, name)) : error;
  }
}

/** The position from which a stream resumes. A client that reconnects gives it in the header; its URL is unchanged. */
export function startAfter(
  header: string | undefined,
  parameter: string | undefined,
  log: EventLog,
): Position | undefined {
  if (header !== undefined) return positionFrom('Last-Event-ID', header, log);
  return parameter === undefined ? undefined : positionFrom('lastEventId', parameter, log);
}
