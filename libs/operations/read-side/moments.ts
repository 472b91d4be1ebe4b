import {
  answerReaders,
  asReader,
  currentReading,
  type EventLog,
  type Position,
  Readers,
} from '#lib/event-store';
import { type Rejection } from '#lib/kernel';
import { type LoopModels, pastRows, type Rows } from '#lib/read-models';
import { mergedEvents, type RunRequests, runsBelow } from '#lib/workflow';
import type { ReadModels } from '../dispatch/read-models.js';
import { orRefused } from '../write-side/rejection-error.js';
import { positionOfMoment } from './position-of-moment.js';

type Ask = <Found, const Name extends string>(
  names: readonly Name[],
  question: (db: Rows<Name>) => Promise<Found | Rejection>,
) => Promise<Found>;

/** The log and the rows, now or at a past moment. */
export interface Moment {
  /** Every stream ends here. Absent: now. */
  readonly position?: undefined;
  /** The log; at a past moment it ends there. */
  readonly log: EventLog;
  /**
   * Asks the rows of the moment. At a past one they hold the subject and its runs alone.
   * @throws RejectionError when the question was answered with a refusal; StreamStandsStill
   */
  readonly ask: Ask;
}

/** A moment that has passed. */
export interface PastMoment extends Omit<Moment, 'position'> {
  readonly position: Position;
  /** The rows that the events of these streams give. @throws RejectionError */
  askAbout<Found, const Name extends string>(
    streams: readonly string[],
    names: readonly Name[],
    question: (db: Rows<Name>) => Promise<Found | Rejection>,
  ): Promise<Found>;
}

/** A stream by its category and id, and the rejection if it has no event. */
export interface Seen {
  readonly category: string;
  readonly id: string;
  readonly unknown: Rejection;
}

/** The parts of moments that have passed. */
export interface PastParts {
  readonly log: EventLog;
  readonly models: LoopModels;
  /** How streams of capabilities ask for runs. */
  readonly requests: readonly RunRequests[];
}

/**
 * A stream at a past moment: the log cut at one position, and rows that the read models fold from the events before it. Nothing is written.
 * Rows are made for each question, whole and in memory, for one question of the process at a time.
 * @param at as the caller states it
 * @throws RejectionError for a moment that is malformed, beyond the end or before the first event
 */
export async function pastMoment(parts: PastParts, seen: Seen, at: string): Promise<PastMoment> {
  const { log, requests } = parts;
  const stream = log.streams.of(seen.category, seen.id);
  const subject = { stream, asked: runsBelow(requests), unknown: seen.unknown };
  const position = orRefused(await asReader(() => positionOfMoment(log, subject, at)));
  const past = { ...parts, log: log.upTo(position) };
  const askAbout: PastMoment['askAbout'] = (streams, names, question) =>
    askRows(past, streams, names, question);
  return {
    position,
    log: past.log,
    askAbout,
    ask: (names, question) => askAbout([stream], names, question),
  };
}

/** A question takes all of this budget while it has rows of a past moment: the others wait, and are refused if that lasts too long. */
const pastReaders = new Readers(answerReaders.most);

/** @throws RejectionError @throws StreamStandsStill @throws TooManyReaders */
async function askRows<Found, const Name extends string>(
  { log, models, requests }: PastParts,
  streams: readonly string[],
  names: readonly Name[],
  question: (db: Rows<Name>) => Promise<Found | Rejection>,
): Promise<Found> {
  const turn = pastReaders.open();
  // The question that has the turn may need the bytes that this one holds, such as those read to find its position.
  currentReading()?.holds(0);
  await turn.needs(pastReaders.most);
  try {
    const events = mergedEvents(log, streams, runsBelow(requests));
    const rows = await asReader(() => pastRows(log, models, names, events));
    try {
      return orRefused(await question(rows.db));
    } finally {
      await rows.close();
    }
  } finally {
    turn.close();
  }
}

interface MomentsParts extends PastParts {
  /** The rows as they are now. */
  readonly now: ReadModels;
}

/** Streams now, or as they were, for the handlers of queries. */
export class Moments {
  constructor(private readonly parts: MomentsParts) {}

  /**
   * @param at absent: now; then the question finds out whether the stream exists
   * @throws RejectionError as `pastMoment`; ForeignPosition | ProjectionBehind
   */
  async of(seen: Seen, at: string | undefined): Promise<Moment | PastMoment> {
    const { log, now } = this.parts;
    const { category, id } = seen;
    if (at === undefined)
      return { log, ask: (names, question) => now.askOf([category, id], names, question) };
    return pastMoment(this.parts, seen, at);
  }
}
