import { is, view } from '#lib/operations';
import { CONTENT_DATASETS } from '#lib/read-models';

/** An export of content that held rounds about a subject. */
export class HoldingExport extends view({
  at: is.time,
  by: is.text.about('A person, or `operator`'),
  what: is.oneOf(CONTENT_DATASETS),
}) {}

const exports = is.listOf(HoldingExport).about('Exports of content that held rounds about it, oldest first');

/** A subject that was erased. */
export class ErasedSubject extends view({
  subject: is.name,
  streams: is.whole().about('How many streams of the log were about it'),
  erasedAt: is.time,
  exports,
}) {}

/** The sessions, runs and conversations about a subject. */
export class Subject extends view({
  subject: is.name,
  sessions: is.texts.about('Their ids, oldest first'),
  runs: is.texts.about('Those that were started with it; not those that sessions, runs and turns asked for'),
  conversations: is.texts,
  exports,
  erasedAt: is.time.optional,
}) {}
