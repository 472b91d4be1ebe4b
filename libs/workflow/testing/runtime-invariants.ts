import { expect } from '@jest/globals';
import { idInStream } from '#lib/event-store';
import type { Event, RecordedEvent } from '#lib/kernel';
import type { ChildStarted, WorkflowStarted } from '../runtime.events.js';
import type { FaultyProcess } from './faulty-process.js';

/** A call that was made. */
export interface Performed {
  readonly key: string;
  readonly process: FaultyProcess;
  /** When the call was made, its request was in the log, and no process had closed it. */
  wasOpen: boolean;
  /** An outcome came, and was given to the runtime. */
  isAnswered: boolean;
}

/** Each child that was started has its end in the stream of its parent, once. */
export function checkDeliveries(events: readonly RecordedEvent[]): void {
  const idsOf = (type: string) =>
    events.flatMap((event) => (event.type === type ? (event.data as { runId: string }).runId : []));
  expect(idsOf('ChildEnded').toSorted()).toEqual(idsOf('ChildStarted').toSorted());
}

/** Each child that was asked for uses the part of the stream that its parent names. */
export function checkContexts(events: readonly RecordedEvent[]): void {
  const usedBy = new Map(
    events.flatMap(({ type, stream, data }) =>
      type === 'WorkflowStarted' ? [[idInStream(stream), (data as WorkflowStarted['data']).context]] : [],
    ),
  );
  for (const { type, data } of events) {
    if (type !== 'ChildStarted') continue;
    const { runId, context } = data as ChildStarted['data'];
    expect(usedBy.get(runId)).toEqual(context && { ...context, sha256: expect.any(String) });
  }
}

/** Each call is made once, for an open request, and an outcome that came is recorded or was discarded. */
export function checkCalls(
  histories: ReadonlyMap<string, readonly RecordedEvent[]>,
  performed: readonly Performed[],
  discarded: readonly Event[],
): void {
  const keys = performed.map(({ key }) => key);
  expect(keys).toEqual([...new Set(keys)]);
  expect(performed.filter(({ wasOpen }) => !wasOpen)).toEqual([]);
  for (const { key, process, isAnswered } of performed) {
    const [runId = '', stepId] = key.split(' ');
    const own = (histories.get(runId) ?? []).filter(({ data }) => 'stepId' in data && data.stepId === stepId);
    expect(own.map(({ type }) => type)).toEqual([
      'EchoRequested',
      expect.stringMatching(/^Echo(Completed|Failed)$/),
    ]);
    if (!isAnswered || process.isCrashed) continue;
    const isDiscarded = discarded.some(({ data }) => 'stepId' in data && data.stepId === stepId);
    expect([key, own[1]?.type === 'EchoCompleted' || isDiscarded]).toEqual([key, true]);
  }
}

/** A call that is unsafe to repeat and may have been made is made again only after an approval. */
export function checkUnsafe(runId: string, events: readonly RecordedEvent[]): void {
  for (const { type, data, revision } of events) {
    if (type !== 'EchoRequested' || !JSON.stringify(data).includes('unsafe')) continue;
    const { stepId } = data as { stepId: string };
    const [base = '', attempt] = stepId.split('#');
    if (attempt === '1') continue;
    const approval = `${base}#${Number(attempt) - 1}?`;
    const isApproved = events.some(
      (event) =>
        event.revision < revision &&
        event.type === 'SignalReceived' &&
        JSON.stringify(event.data).includes(`"${approval}"`) &&
        JSON.stringify(event.data).includes('"yes"'),
    );
    expect([runId, stepId, isApproved]).toEqual([runId, stepId, true]);
  }
}
