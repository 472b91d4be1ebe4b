import { jsonLine, ownMember } from '#lib/kernel';
import { familyDescriptions } from './describe-family-event.js';
import { runDescriptions } from './describe-run-event.js';
import { sessionDescriptions } from './describe-session-event.js';
import { solicitationDescriptions } from './describe-solicitation-event.js';
import { leanEvent } from './lean-event.js';

/** An event that is missing here is of a workflow of the application, or of a family without a description. */
const DESCRIPTIONS: { readonly [type: string]: ((data: never) => string) | undefined } = {
  ...sessionDescriptions,
  ...runDescriptions,
  ...solicitationDescriptions,
  ...familyDescriptions,
};

/** One line of plain language about an event; its data as JSON, cut, if its type has no description. */
export function summaryOf({ type, data }: { readonly type: string; readonly data: object }): string {
  const describe = ownMember(DESCRIPTIONS, type) ?? jsonLine;
  try {
    return describe(data as never);
  } catch {
    // A workflow of the application may record another event under the same name.
    return jsonLine(data);
  }
}

/** An event with its line. */
export type Summarized<E> = E & { readonly summary: string };

export function withSummary<E extends Parameters<typeof summaryOf>[0]>(event: E): Summarized<E> {
  return { ...event, summary: summaryOf(event) };
}

/** The part of its events that a list shows. */
export interface ShownData {
  /** As of `leanEvent`. */
  readonly maxDataBytes?: number;
}

/** Each event when it comes. */
export async function* summarized<E extends Parameters<typeof summaryOf>[0]>(
  events: AsyncIterable<E>,
  { maxDataBytes }: ShownData = {},
): AsyncGenerator<Summarized<E>> {
  for await (const event of events) yield leanEvent(withSummary(event), maxDataBytes);
}

/** The events as a page without a next one. */
export async function wholePage<E extends Parameters<typeof summaryOf>[0]>(
  events: AsyncIterable<E>,
  shown: ShownData,
): Promise<{ readonly items: readonly Summarized<E>[]; readonly nextCursor: null }> {
  const items: Summarized<E>[] = [];
  for await (const event of summarized(events, shown)) items.push(event);
  return { items, nextCursor: null };
}

/** Whether an event is of a session itself, and not of a run that the session asked for. */
export function isOfSession({ type }: { readonly type: string }): boolean {
  return Object.hasOwn(sessionDescriptions, type);
}
