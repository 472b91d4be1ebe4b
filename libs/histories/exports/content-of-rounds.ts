import { setImmediate } from 'node:timers/promises';
import {
  type HumanOverrideAccepted,
  proposerContext,
  sessionDecider,
  type SessionEvent,
} from '#lib/decisions/session';
import { type EventLog, KeyMissing } from '#lib/event-store';
import { jsonText } from '#lib/kernel';
import { type ContentFilter, type ContentRound, contentRounds, type Rows } from '#lib/read-models';
import { bySession } from '../by-session.js';
import { CONTENT_LINES } from './content-lines.rules.js';

interface Source {
  readonly db: Rows<'sessions'>;
  readonly log: EventLog;
}

/**
 * The rounds of rows, with their content from the log: each session is read up to its last round of a page. Rounds of a subject
 * whose key is missing are left out.
 */
export async function* contentOfRounds({ db, log }: Source, filter: ContentFilter): AsyncGenerator<string> {
  for await (const page of contentRounds(db, filter))
    for (const rounds of bySession(page)) {
      yield* withoutMissing(contentOfSession(log, rounds, CONTENT_LINES[filter.dataset]));
      // Reads of a log in files never wait: other work of the process runs here.
      await setImmediate();
    }
}

async function* withoutMissing(lines: AsyncGenerator<string>): AsyncGenerator<string> {
  try {
    yield* lines;
  } catch (error) {
    if (!(error instanceof KeyMissing)) throw error;
  }
}

type LinesOf = (typeof CONTENT_LINES)[keyof typeof CONTENT_LINES];

async function* contentOfSession(
  log: EventLog,
  rounds: readonly ContentRound[],
  linesOf: LinesOf,
): AsyncGenerator<string> {
  const wanted = new Set(rounds.map(({ revision }) => revision));
  const stream = log.streams.of('session', rounds[0]?.sessionId ?? '');
  let session = sessionDecider.initialState;
  let decision: HumanOverrideAccepted['data'] | undefined;
  for await (const event of log.each<SessionEvent>(stream, 0, Math.max(...wanted) + 1)) {
    // The subject was erased after its rows were read.
    if (event.metadata.erased) return;
    if (event.type === 'HumanOverrideAccepted') decision = event.data;
    if (session && decision && wanted.has(event.revision)) {
      const context = proposerContext(session, decision.roundId);
      for (const line of linesOf({ context, decision })) yield `${jsonText(line)}\n`;
    }
    session = sessionDecider.evolve(session, event);
  }
}

/** The number of rounds. */
export async function countOfRounds(db: Rows<'sessions'>, filter: ContentFilter): Promise<number> {
  let count = 0;
  for await (const page of contentRounds(db, filter)) count += page.length;
  return count;
}
