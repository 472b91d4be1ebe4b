import type { SessionEvent } from '#lib/decisions/session';
import { DUE_TIMES, runIdsIn, type RunRequests } from '#lib/workflow';

const TAKEN: readonly string[] = ['ClockEnded'] satisfies SessionEvent['type'][];

/** The events by which sessions start clocks, record their ends, and end them. The id of a clock is the id of its run. */
export const dueTimesRequests = {
  category: 'session',
  workflow: DUE_TIMES,
  askedBy: ({ type, data }) => (TAKEN.includes(type) ? undefined : textIn(data, 'clockId')),
  takenBy: ({ type, data }) => textIn(data, TAKEN.includes(type) ? 'clockId' : 'timedBy'),
  withdrawnBy: ({ data }) => runIdsIn(data, 'endsClocks'),
} as const satisfies RunRequests;

function textIn(data: object, member: string): string | undefined {
  const value: unknown = (data as { readonly [name: string]: unknown })[member];
  return typeof value === 'string' ? value : undefined;
}
