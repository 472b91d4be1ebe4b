import { type EventLog, handleCommand } from '#lib/event-store';
import { isRejection, randomIds, type RecordedEvent, systemClock } from '#lib/kernel';
import { subjectDecider } from '../subject.decider.js';
import type { HistoryExported, SubjectEvent } from '../subject.events.js';

/**
 * Records that a history about a subject is exported, unless the same one was exported to the same reader before.
 * @returns whether it may be exported: not with the key of a subject that is erased by then
 * @throws KeyMissing @throws ConflictNotSettled @throws StoreUnavailable
 */
export async function recordHistory(
  log: EventLog,
  subject: string,
  data: HistoryExported['data'],
): Promise<boolean> {
  const commandId = randomIds.next();
  const made = { commandId, correlationId: subject, causationId: commandId, actor: data.by };
  const envelope = { ...made, occurredAt: systemClock.now().toISOString() };
  const stream = log.streams.of('subject', subject);
  const answer = await handleCommand(log, subjectDecider, stream, { type: 'RecordHistory', data }, envelope);
  return !isRejection(answer) && answer.state.erasure === undefined;
}

/** The history exports among the events of a subject, the oldest first. */
export function historiesIn(events: readonly RecordedEvent<SubjectEvent>[]) {
  return events.flatMap((event) => {
    if (event.type !== 'HistoryExported') return [];
    const { by, hasKey } = event.data;
    return [{ at: event.occurredAt, by, what: hasKey ? HISTORIES.withKey : HISTORIES.withoutKey }];
  });
}

/** Compares exports by their time. */
export function byTime({ at: one }: { readonly at: string }, { at: other }: { readonly at: string }): number {
  return Number(one > other) - Number(one < other);
}

/** The names of exports of histories, beside the datasets. */
export const HISTORIES = { withKey: 'history', withoutKey: 'history-without-key' } as const;
