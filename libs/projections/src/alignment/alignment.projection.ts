import type { RecordedEvent } from '#lib/kernel';
import type { HumanOverrideAccepted, SessionEvent } from '#lib/session';
import { storedText } from '../row/stored-text.js';
import { storedTime } from '../row/stored-time.js';
import type { Handlers, Projection } from '../runner/projection.js';
import type { Change } from '../store/statement.js';
import { addComparison, countComparison } from './alignment.statements.js';
import { alignmentComparisonsTable, alignmentTalliesTable } from './alignment.tables.js';

const onSession: Handlers<SessionEvent> = { HumanOverrideAccepted: compared };

/** People are who others are compared with: their own proposals are not. */
function compared(
  { data, occurredAt, position }: RecordedEvent<HumanOverrideAccepted>,
  sessionId: string,
): Change[] {
  const scope = { machine_name: data.scope.machineName, state: storedText(data.scope.state ?? '') };
  const decision = { session_id: sessionId, round_id: data.roundId, decided_at: storedTime(occurredAt) };
  const machines = data.proposals.filter(({ isHuman }) => !isHuman);
  return machines.flatMap(({ proposalId, specialistId, transitionName }) => {
    const matching = transitionName === data.transitionName ? 1 : 0;
    const one = { ...scope, specialist_id: specialistId, position };
    return [
      addComparison({ ...one, ...decision, proposal_id: proposalId, matched: matching }),
      countComparison({ ...one, matching }),
    ];
  });
}

/** How often each proposer chose what people chose. */
export const alignmentProjection: Projection<'alignment'> = {
  name: 'alignment',
  version: 1,
  tables: [alignmentComparisonsTable, alignmentTalliesTable],
  on: { session: onSession },
};
