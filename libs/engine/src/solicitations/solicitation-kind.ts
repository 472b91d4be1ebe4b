import type { SolicitationActivities } from '#lib/activities';
import { derivedId, fold } from '#lib/kernel';
import type { CommandWriter } from '#lib/operations';
import { type ProposalSolicited, type Session, sessionDecider } from '#lib/session';
import {
  solicitation,
  type SolicitationEvent,
  solicitationResult,
  type SolicitationStarted,
  type SolicitationState,
} from '#lib/solicitation';
import { type ProposerExecution, specialistDecider, specialistVersion } from '#lib/specialist';
import { ownSpecialist } from '../specialists/own-specialists.js';
import { specialistTarget } from '../specialists/specialist-target.js';
import type { SessionWorkflow } from '../workflows/session-workflow.js';
import type { Facts } from './facts.js';
import { type SolicitationSettings, startEvent } from './start-event.js';

/** Solicitations, as workflows that sessions begin. */
export function solicitationKind(
  writer: CommandWriter,
  activities: SolicitationActivities,
  settings: SolicitationSettings,
  facts: Facts,
): SessionWorkflow<SolicitationState, SolicitationEvent, ProposalSolicited> {
  return {
    category: 'solicitation',
    workflow: solicitation,
    requestType: 'ProposalSolicited',
    closingTypes: ['ProposalSubmitted', 'ProposalSetAside', 'ProposalFailed'],
    idIn: ({ data }) => ('solicitationId' in data ? data.solicitationId : undefined),
    start: async ({ data }, history) => {
      const session = fold(sessionDecider, history);
      const execution = session && (await executionOf(writer, session, data));
      if (!session || !execution) return undefined;
      const known = await facts.ofSolicitation(session, data.roundId, execution);
      return startEvent(session, data, execution, settings, known);
    },
    activities: (start) => activities.forSolicitation(start as SolicitationStarted),
    closing: (sessionId, solicitationId, end) => {
      const result = solicitationResult(end);
      const proposalId = derivedId(solicitationId, 'proposal');
      return result && { type: 'CloseSolicitation', data: { sessionId, solicitationId, proposalId, result } };
    },
  };
}

/** Of the version that was solicited, whatever was registered since. */
async function executionOf(
  writer: CommandWriter,
  session: Session,
  { specialistId, specialistVersion: version }: ProposalSolicited['data'],
): Promise<ProposerExecution | undefined> {
  const own = ownSpecialist(session, specialistId);
  if (own) return own.role === 'proposer' ? own.execution : undefined;
  const { machineName } = session;
  const state = await writer.state(specialistDecider, specialistTarget({ machineName, specialistId }));
  const specialist = specialistVersion(state, version);
  return specialist?.role === 'proposer' ? specialist.execution : undefined;
}
