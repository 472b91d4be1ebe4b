import type { EventLog, StreamHistory } from '#lib/event-store';
import { derivedId } from '#lib/kernel';
import { type ProposalSolicited, type Session, sessionDecider } from '#lib/session';
import { solicitationRequests, solicitationResult } from '#lib/solicitation';
import {
  type ProposerExecution,
  specialistDecider,
  type SpecialistEvent,
  specialistVersion,
} from '#lib/specialist';
import { ownSpecialist } from '../specialists/own-specialists.js';
import { specialistTarget } from '#lib/specialists';
import { LostRun, type SessionRunKind } from '../workflows/session-run-owner.js';
import type { Facts } from './facts.js';
import { solicitationInput, type SolicitationSettings } from './solicitation-input.js';

/** Solicitations as runs that sessions ask for. */
export function solicitationRun(log: EventLog, settings: SolicitationSettings, facts: Facts): SessionRunKind {
  return {
    requests: solicitationRequests,
    input: async ({ data }, history) => {
      const asked = data as ProposalSolicited['data'];
      const session = history.state(sessionDecider);
      const execution = session && (await executionOf(log, session, asked));
      if (!session || !execution) throw lost(asked);
      const { sessionId } = session;
      const known = await facts.ofSolicitation(session, asked.roundId);
      return solicitationInput({ ...asked, sessionId }, session, execution, settings, known);
    },
    closing: (sessionId, solicitationId, end) => {
      const proposalId = derivedId(solicitationId, 'proposal');
      const data = { sessionId, solicitationId, proposalId, result: solicitationResult(end) };
      return { type: 'CloseSolicitation', data };
    },
  };
}

/** Of the version that was solicited, whatever was registered since: how a version is asked never changes. */
async function executionOf(
  log: EventLog,
  session: Session,
  { specialistId, specialistVersion: version }: ProposalSolicited['data'],
): Promise<ProposerExecution | undefined> {
  const own = ownSpecialist(session, specialistId);
  if (own) return own.role === 'proposer' ? own.execution : undefined;
  const { machineName } = session;
  const { category, id } = specialistTarget({ machineName, specialistId });
  const stream = log.streams.of(category, id);
  const specialist =
    versionIn(await log.loadTo(stream, 0), version) ?? versionIn(await log.load(stream), version);
  return specialist?.role === 'proposer' ? specialist.execution : undefined;
}

function versionIn(history: StreamHistory<SpecialistEvent>, version: number) {
  return specialistVersion(history.state(specialistDecider), version);
}

function lost({ solicitationId, specialistId, specialistVersion: version }: ProposalSolicited['data']) {
  const why = `version ${version} of ${specialistId}, which it asks, is not in the log`;
  return new LostRun(`solicitation ${solicitationId}`, why, 'Verify the log with `redial replay --all`');
}
