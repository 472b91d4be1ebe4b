import { is, view } from '#lib/operations';

/** A subject that was erased. */
export class ErasedSubject extends view({
  subject: is.name,
  streams: is.whole().about('How many streams of the log were about it'),
  erasedAt: is.time,
}) {}

/** The sessions, runs and conversations about a subject. */
export class Subject extends view({
  subject: is.name,
  sessions: is.texts.about('Their ids, oldest first'),
  runs: is.texts.about('Those that were started with it; not those that sessions, runs and turns asked for'),
  conversations: is.texts,
  erasedAt: is.time.optional,
}) {}
