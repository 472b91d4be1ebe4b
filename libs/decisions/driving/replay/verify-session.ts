import { arbitration, arbitrationEnd, arbitrationRequests, endBefore03 } from '#lib/decisions/arbitration';
import { changedCopy, copiedIn, StreamHistory } from '#lib/event-store';
import type { RecordedEvent } from '#lib/kernel';
import { sessionDecider, type SessionEvent } from '#lib/decisions/session';
import {
  resultBefore03,
  solicitation,
  solicitationRequests,
  solicitationResult,
} from '#lib/decisions/solicitation';
import { WorkflowRegistry } from '#lib/workflow';
import type { ReplayedLog } from '#lib/runs/runs/core';
import { type ReadableHistory, readableHistory, verifiedErased } from '#lib/runs/runs/core';
import { type ReplayReport, replayTotals, type Verification } from '#lib/runs/runs/core';
import { verifyChildren } from '#lib/runs/runs/core';
import { verifyDecisions } from '#lib/runs/runs/core';
import { dueTimes, dueTimesRequests } from '#lib/tasks/core';
import { timeTaken } from '../due-times-run.js';
import { type OwnedRun, verifyOwnedRun } from './verify-owned-run.js';

/** The runs of sessions: their contexts are derived from the session. */
const FAMILIES = [
  {
    workflow: solicitation,
    requests: solicitationRequests,
    resultOf: solicitationResult,
    resultBefore03,
  },
  {
    workflow: arbitration,
    requests: arbitrationRequests,
    resultOf: arbitrationEnd,
    resultBefore03: endBefore03,
  },
  { workflow: dueTimes, requests: dueTimesRequests, resultOf: timeTaken },
];

/**
 * Verifies a session: its own stream by deciding every command again, each of its solicitations and arbitrations by their rules,
 * and their recorded ends. Nothing is written.
 * @param workflows of the children of these: events of other workflows are not compared
 * @returns `undefined` if there is no such session
 */
export async function verifySession(
  log: ReplayedLog,
  sessionId: string,
  workflows = new WorkflowRegistry([]),
): Promise<ReplayReport | undefined> {
  const stream = log.streams.of('session', sessionId);
  const own = await readableHistory<SessionEvent>(log, stream);
  const { events, damage } = own;
  if (events.length === 0 && !damage) return undefined;
  const copied = copiedIn(events);
  const parts: Verification[] = [verifiedErased(own) ?? verifyOwn(own, copied)];
  const history = new StreamHistory(events);
  // The runs of copied requests are verified with the session of the original requests.
  for (const run of runsAskedBy(events).filter(({ request }) => request.revision >= copied)) {
    const recorded = await readableHistory(log, log.streams.of(run.workflow.name, run.runId));
    parts.push(verifiedErased(recorded) ?? verifyOwnedRun(log.streams, history, run, recorded));
    parts.push(...(await verifyChildren(log, workflows, recorded.events)));
  }
  return { sessionId, ...replayTotals(parts) };
}

/** Verifies the decisions in the session's own stream. */
function verifyOwn({ events, damage, digest }: ReadableHistory<SessionEvent>, copied: number): Verification {
  const { derived, divergence } = verifyDecisions(sessionDecider, events, copied, digest);
  // The hash covers all copies: without some of them it cannot be compared.
  const changed = events.length < copied ? damage : changedCopy(events);
  return { derived, given: 0, open: false, divergence: changed ?? divergence ?? damage };
}

function runsAskedBy(session: readonly RecordedEvent<SessionEvent>[]): readonly OwnedRun[] {
  return FAMILIES.flatMap(({ requests, ...family }) => {
    const closings = new Map<string | undefined, RecordedEvent>();
    for (const event of session.toReversed()) closings.set(requests.takenBy(event), event);
    return session.flatMap((request) => {
      const runId = requests.askedBy(request);
      return runId === undefined ? [] : [{ runId, request, closing: closings.get(runId), ...family }];
    });
  }).toSorted((one, other) => one.request.revision - other.request.revision);
}
