import type { ListedLlmCall } from '#lib/client';
import type { TimelineEvent } from './rounds.js';

/**
 * The call that an event of a run is about; `undefined` if none is certain. A fork begins with the events of its parent, whose calls are not
 * its own: a call is that of a request of its moment, and calls of one moment are in the order of their requests.
 * @param calls the calls of the run, oldest first
 */
export function callOf(
  event: TimelineEvent,
  events: readonly TimelineEvent[],
  calls: readonly ListedLlmCall[],
): ListedLlmCall | undefined {
  const requests = events.filter(
    ({ stream, type }) => stream === event.stream && type === 'LlmCallRequested',
  );
  const request = requests.find(({ data }) => data.stepId === event.data.stepId);
  if (!request) return undefined;
  const requested = requests.filter(({ occurredAt }) => occurredAt === request.occurredAt);
  const made = calls.filter(({ requestedAt }) => requestedAt === request.occurredAt);
  return made.length === requested.length ? made[requested.indexOf(request)] : undefined;
}
