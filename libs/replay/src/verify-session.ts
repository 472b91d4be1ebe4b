import type { EventLog } from '#lib/event-store';
import { firstDifference, type RecordedEvent } from '#lib/kernel';
import { type ProposalSolicited, sessionDecider, type SessionEvent } from '#lib/session';
import { solicitation, type SolicitationEvent, solicitationResult } from '#lib/solicitation';
import { type Divergence, type Verification, verifyWorkflow } from '#lib/workflow';
import { readableHistory } from './readable-history.js';
import type { ReplayReport } from './replay-report.js';
import { verifyDecisions } from './verify-decisions.js';

/**
 * Verifies a session whole: its own stream by deciding every command again, each of its solicitations by asking the ladder
 * again, and that what a solicitation ended with is what its session took. Nothing is written.
 * @returns `undefined` when there is no such session
 */
export async function verifySession(log: EventLog, sessionId: string): Promise<ReplayReport | undefined> {
  const stream = log.streams.of('session', sessionId);
  const { events, damage } = await readableHistory<SessionEvent>(log, stream);
  if (events.length === 0 && !damage) return undefined;
  const own = verifyDecisions(sessionDecider, events);
  const parts: Verification[] = [
    { derived: own.derived, given: 0, open: false, divergence: own.divergence ?? damage },
  ];
  for (const event of events) {
    if (event.type === 'ProposalSolicited')
      parts.push(await verifySolicitation(log, event, closingOf(events, event)));
  }
  return report(sessionId, parts);
}

function report(sessionId: string, parts: readonly Verification[]): ReplayReport {
  const divergences = parts.flatMap(({ divergence }) => (divergence ? [divergence] : []));
  return {
    sessionId,
    identical: divergences.length === 0,
    streamsChecked: parts.length,
    eventsChecked: parts.reduce((sum, { derived }) => sum + derived, 0),
    eventsTaken: parts.reduce((sum, { given }) => sum + given, 0),
    open: parts.filter(({ open }) => open).length,
    divergences,
  };
}

type Closing = RecordedEvent<SessionEvent> | undefined;

function closingOf(
  events: readonly RecordedEvent<SessionEvent>[],
  solicited: RecordedEvent<ProposalSolicited>,
): Closing {
  return events.find(
    ({ type, data }) =>
      type !== 'ProposalSolicited' &&
      'solicitationId' in data &&
      data.solicitationId === solicited.data.solicitationId,
  );
}

async function verifySolicitation(
  log: EventLog,
  solicited: RecordedEvent<ProposalSolicited>,
  closing: Closing,
): Promise<Verification> {
  const stream = log.streams.of('solicitation', solicited.data.solicitationId);
  const { events, damage } = await readableHistory<SolicitationEvent>(log, stream);
  const walked = verifyWorkflow(solicitation, events);
  const divergence =
    walked.divergence ??
    damage ??
    wrongStart(events[0], solicited) ??
    (closing && wrongEnd(events.at(-1), closing));
  return { ...walked, ...(divergence && { open: false, divergence }) };
}

/** The start must be of the solicitation that the session asked for. */
function wrongStart(
  start: RecordedEvent<SolicitationEvent> | undefined,
  { data }: RecordedEvent<ProposalSolicited>,
): Divergence | undefined {
  if (start?.type !== 'SolicitationStarted') return undefined;
  const { solicitationId, roundId, specialistId } = start.data;
  const { given: _given, ...asked } = data;
  const difference = firstDifference({ solicitationId, roundId, specialistId }, asked, '/data');
  return difference && { ...placeOf(start), ...difference };
}

/** What closed the solicitation in its session must be what it ended with. */
function wrongEnd(
  end: RecordedEvent<SolicitationEvent> | undefined,
  closing: RecordedEvent,
): Divergence | undefined {
  const taken = (closing.metadata.command as { data?: { result?: unknown } } | undefined)?.data?.result;
  const difference = firstDifference(taken, end && solicitationResult(end), '/metadata/command/data/result');
  return difference && { ...placeOf(closing), ...difference };
}

function placeOf({ stream, revision, type }: RecordedEvent) {
  return { stream, revision, type };
}
