import { jsonLine, ownMember } from '#lib/kernel';
import { familyDescriptions } from './describe-family-event.js';
import { runDescriptions } from './describe-run-event.js';
import { sessionDescriptions } from './describe-session-event.js';
import { solicitationDescriptions } from './describe-solicitation-event.js';
import { leanEvent } from './lean-event.js';

/** An event that is not here was recorded by a workflow of the application, or by a family that has no words of its own. */
const DESCRIPTIONS: { readonly [type: string]: ((data: never) => string) | undefined } = {
  ...sessionDescriptions,
  ...runDescriptions,
  ...solicitationDescriptions,
  ...familyDescriptions,
};

/** One line of plain language that says what an event records; its data as JSON, cut, if its type has no words. */
export function summaryOf({ type, data }: { readonly type: string; readonly data: object }): string {
  const describe = ownMember(DESCRIPTIONS, type) ?? jsonLine;
  try {
    return describe(data as never);
  } catch {
    // A workflow of the application may record another event under the same name.
    return jsonLine(data);
  }
}

/** An event, and what it records as a line. */
export type Summarized<E> = E & { readonly summary: string };

export function withSummary<E extends Parameters<typeof summaryOf>[0]>(event: E): Summarized<E> {
  return { ...event, summary: summaryOf(event) };
}

/** How much of its events a list shows. */
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

/** The same as a page without a next one. */
export async function wholePage<E extends Parameters<typeof summaryOf>[0]>(
  events: AsyncIterable<E>,
  shown: ShownData,
): Promise<{ readonly items: readonly Summarized<E>[]; readonly nextCursor: null }> {
  const items: Summarized<E>[] = [];
  for await (const event of summarized(events, shown)) items.push(event);
  return { items, nextCursor: null };
}

/** Whether an event is of a session itself, and not of a run that it asked for. */
export function isOfSession({ type }: { readonly type: string }): boolean {
  return Object.hasOwn(sessionDescriptions, type);
}
