import type { EventLog } from '#lib/event-store';
import type { RecordedEvent } from '#lib/kernel';
import type { ProposalSolicited, SessionEvent } from '#lib/session';
import { solicitation, solicitationResult } from '#lib/solicitation';
import type { Verification } from '#lib/legacy-workflow';
import { verifyBegun } from './verify-begun.js';

/** Verifies the solicitation that an event of a session speaks of. */
export function verifySolicitation(
  log: EventLog,
  session: readonly RecordedEvent<SessionEvent>[],
  { data: { given: _given, ...asked } }: RecordedEvent<ProposalSolicited>,
): Promise<Verification> {
  const id = asked.solicitationId;
  return verifyBegun(log, {
    category: 'solicitation',
    id,
    workflow: solicitation,
    closing: session.find(
      ({ type, data }) =>
        type !== 'ProposalSolicited' && 'solicitationId' in data && data.solicitationId === id,
    ),
    startOf: ({ data }) => ({ ...data, ...asked }),
    resultOf: solicitationResult,
  });
}
