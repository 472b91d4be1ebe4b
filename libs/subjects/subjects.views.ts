import { is, view } from '#lib/operations';
import { CONTENT_DATASETS } from '#lib/read-models';
import { HISTORIES } from './exports/history-exports.js';

/** An export of content of a subject. */
export class HoldingExport extends view({
  at: is.time,
  by: is.text.about('A person, or `operator`'),
  what: is
    .oneOf([...CONTENT_DATASETS, ...Object.values(HISTORIES)])
    .about('A dataset with rounds about it, or a history file, whose content is encrypted without the key'),
}) {}

const exports = is.listOf(HoldingExport).about('Exports of its content before it was erased, oldest first');

/** A subject that was erased. */
export class ErasedSubject extends view({
  subject: is.name,
  streams: is.whole().about('The number of streams about it'),
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
