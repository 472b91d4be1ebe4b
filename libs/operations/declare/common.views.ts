import type { Tags } from '#lib/kernel';
import { is, view } from './view.js';

/** An event as the log gives it back. */
export class RecordedEventView extends view({
  eventId: is.id,
  type: is.text,
  schemaVersion: is.whole(1),
  stream: is.text,
  revision: is.whole().about('The index in its stream; the first event has 0'),
  position: is.text.about('The position in the whole log: opaque'),
  occurredAt: is.time,
  data: is.object<object>(),
  metadata: is.object<object>(),
  summary: is.text.about('The event as one line of plain language'),
  leftOut: is.texts.optional.about(
    'Members of `data` that are left out here, since they are large: see `maxDataBytes`',
  ),
}) {}

/** The members of views with a key, tags and a subject. */
export const labelMembers = {
  key: is.text.optional.about('The name that its creator gave it'),
  tags: is.object<Tags>().optional.about('Texts by name'),
  subject: is.text.optional.about('The person or customer it is about: its content is encrypted in the log'),
  erased: is.flag.optional.about('Its subject was erased: texts read `[erased]`, other content is left out'),
};

/** A problem or a warning, with its location in the request. */
export class ProblemAt extends view({
  path: is.text.about('JSON pointer'),
  message: is.text,
}) {}

/** The first difference between a recorded stream and the events that replay derives. */
class Divergence extends view({
  stream: is.text,
  revision: is.whole(),
  type: is.text,
  pointer: is.text.about('JSON pointer into the event'),
  recorded: is.json<unknown>().optional,
  replayed: is.json<unknown>().optional,
  waiting: is.texts.optional.about(
    'Steps of the run that were open before the event, oldest first, at most 20',
  ),
}) {}

/** The report of a replay, without the id of its subject. */
export abstract class ReplayReportBody extends view({
  identical: is.flag,
  streamsChecked: is.whole(),
  eventsChecked: is.whole().about('Events that were derived again'),
  eventsTaken: is.whole().about('Events from outside, taken as they are recorded'),
  erased: is
    .whole(1)
    .optional.about('Streams of erased subjects: only their structure was checked; absent if there are none'),
  open: is.whole().about('Histories that have not ended'),
  divergences: is.listOf(Divergence),
}) {}
