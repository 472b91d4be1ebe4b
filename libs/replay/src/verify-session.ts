import { type EventLog, StreamHistory } from '#lib/event-store';
import { sessionDecider, type SessionEvent } from '#lib/session';
import { solicitation } from '#lib/solicitation';
import { WorkflowRegistry } from '#lib/workflow';
import { readableHistory } from './readable-history.js';
import { type ReplayReport, replayTotals, type Verification } from './replay-report.js';
import { verifyArbitration } from './verify-arbitration.js';
import { verifyChildren } from './verify-run-tree.js';
import { verifyDecisions } from './verify-decisions.js';
import { verifySolicitation } from './verify-solicitation.js';

/**
 * Verifies a session whole: its own stream by deciding every command again, each of its solicitations and arbitrations by asking
 * the workflow again, and that what these ended with is what the session took. Nothing is written.
 * @param workflows of the children of solicitations: with the events of others nothing is compared
 * @returns `undefined` when there is no such session
 */
export async function verifySession(
  log: EventLog,
  sessionId: string,
  workflows = new WorkflowRegistry([]),
): Promise<ReplayReport | undefined> {
  const stream = log.streams.of('session', sessionId);
  const { events, damage } = await readableHistory<SessionEvent>(log, stream);
  if (events.length === 0 && !damage) return undefined;
  const own = verifyDecisions(sessionDecider, events);
  const parts: Verification[] = [
    { derived: own.derived, given: 0, open: false, divergence: own.divergence ?? damage },
  ];
  const history = new StreamHistory(events);
  for (const event of events) {
    if (event.type === 'ProposalSolicited') {
      const stream = log.streams.of(solicitation.name, event.data.solicitationId);
      parts.push(await verifySolicitation(log, history, event));
      parts.push(...(await verifyChildren(log, workflows, stream)));
    }
    if (event.type === 'ArbitrationRequested') parts.push(await verifyArbitration(log, history, event));
  }
  return { sessionId, ...replayTotals(parts) };
}
