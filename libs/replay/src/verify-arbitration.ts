import { arbitration, arbitrationEnd, arbitrationStart, type ArbitrationStarted } from '#lib/arbitration';
import type { EventLog } from '#lib/event-store';
import { fold, type RecordedEvent } from '#lib/kernel';
import { type ArbitrationRequested, sessionDecider, type SessionEvent } from '#lib/session';
import type { Verification } from '#lib/legacy-workflow';
import { verifyBegun } from './verify-begun.js';

/** Verifies the arbitration that an event of a session speaks of: what its arbiter was told follows from the session. */
export function verifyArbitration(
  log: EventLog,
  session: readonly RecordedEvent<SessionEvent>[],
  { data: asked, revision }: RecordedEvent<ArbitrationRequested>,
): Promise<Verification> {
  const id = asked.arbitrationId;
  return verifyBegun(log, {
    category: 'arbitration',
    id,
    workflow: arbitration,
    closing: session.find(
      ({ type, data }) =>
        type !== 'ArbitrationRequested' && 'arbitrationId' in data && data.arbitrationId === id,
    ),
    startOf: (start) => {
      const state = fold(sessionDecider, session.slice(0, revision));
      const { data } = start as ArbitrationStarted;
      return state ? arbitrationStart(state, asked, data).data : data;
    },
    resultOf: arbitrationEnd,
  });
}
