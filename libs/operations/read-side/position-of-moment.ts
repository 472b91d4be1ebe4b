import { type EventLog, ForeignPosition, parsePosition, type Position } from '#lib/event-store';
import { reject, type Rejection } from '#lib/kernel';
import { mergedEvents, type RunsAsked } from '#lib/workflow';
import { type StatedMoment, statedMoment } from '../declare/moment.js';

/** A stream, and the runs that it asks for. */
export interface Subject {
  readonly stream: string;
  readonly asked: RunsAsked;
  /** The refusal if it has no event. */
  readonly unknown: Rejection;
}

/** The position of the log for a stated moment of a stream: every stream is cut there. */
export async function positionOfMoment(
  log: EventLog,
  subject: Subject,
  at: string,
): Promise<Position | Rejection> {
  const [first] = await log.store.readStream(subject.stream, { limit: 1 });
  if (!first) return subject.unknown;
  const moment = statedMoment(at);
  if (!moment) return malformed(at, 'it is no revision, no time and no position');
  const position = await positionOf(log, subject, moment);
  if (typeof position !== 'string') return position ?? noSuchMoment(at, 'it is beyond the end');
  return position < first.position ? noSuchMoment(at, 'it is before the first event') : position;
}

function positionOf(
  log: EventLog,
  subject: Subject,
  moment: StatedMoment,
): Promise<Position | Rejection | undefined> {
  if ('revision' in moment) return positionOfRevision(log, subject, moment.revision);
  return 'timeMs' in moment
    ? positionOfTime(log, subject, moment.timeMs)
    : knownPosition(log, moment.position);
}

async function positionOfRevision(log: EventLog, { stream }: Subject, revision: number) {
  const [event] = await log.store.readStream(stream, { from: revision, limit: 1 });
  return event?.position;
}

/**
 * Right before the first event of the stream that is later than the time, or before the first later one of its runs; the head of the
 * log if there is none. Before all events: an empty position.
 */
async function positionOfTime(log: EventLog, { stream, asked }: Subject, timeMs: number): Promise<Position> {
  const isLater = ({ occurredAt }: { readonly occurredAt: string }) => Date.parse(occurredAt) > timeMs;
  let last = '' as Position;
  for await (const event of log.each(stream)) {
    if (isLater(event)) break;
    last = event.position as Position;
  }
  if (last === '') return last;
  // The next event of the stream is later than the time, or there is none. Before it, an event of its runs may be later by its clock.
  for await (const { stored, event } of mergedEvents(log, [stream], asked, last))
    if (isLater(event)) return positionBefore(log, stored.position);
  return (await log.store.head()) ?? last;
}

async function positionBefore(log: EventLog, from: Position): Promise<Position> {
  const [before] = await log.store.readAll({ from, direction: 'backwards', limit: 1 });
  return before?.position ?? ('' as Position);
}

async function knownPosition(log: EventLog, text: string): Promise<Position | Rejection | undefined> {
  try {
    const position = parsePosition(log.store.logId, text);
    const head = await log.store.head();
    return head !== undefined && position <= head ? position : undefined;
  } catch (error) {
    if (error instanceof ForeignPosition)
      return malformed(`position:${text}`, 'it is not a position of this log');
    throw error;
  }
}

function malformed(at: string, why: string): Rejection {
  const text = {
    what: `the moment ${at.slice(0, 80)}`,
    why,
    fix: 'Give a revision, a time, or a position that an answer gave',
  };
  return reject('malformed', 'malformed-moment', text, [{ path: '/at', message: why }]);
}

function noSuchMoment(at: string, why: string): Rejection {
  const fix = 'Ask for a moment from its first event to now';
  return reject('unknown', 'unknown-moment', { what: `the moment ${at}`, why, fix });
}
