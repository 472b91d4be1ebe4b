import type { RecordedEvent } from '#lib/kernel';
import type { ExemplarImported, HumanOverrideAccepted, SessionEvent } from '#lib/session';
import type { ProposerRegistered, SpecialistEvent } from '#lib/specialist';
import { storedText } from '../row/stored-text.js';
import { storedTime } from '../row/stored-time.js';
import type { Handlers, Projection } from '../runner/projection.js';
import type { Change } from '../store/statement.js';
import { addComparison, copyComparisons, copyTallies, countComparison } from './alignment.statements.js';
import { alignmentComparisonsTable, alignmentTalliesTable } from './alignment.tables.js';

const onSession: Handlers<SessionEvent> = {
  HumanOverrideAccepted: (event, sessionId) =>
    compared(event, { sessionId, roundId: event.data.roundId, decidedAt: event.occurredAt }),
};
const onImport: Handlers<ExemplarImported> = {
  ExemplarImported: (event) => {
    const { exemplarId, decidedAt } = event.data;
    return compared(event, { sessionId: exemplarId, roundId: exemplarId, decidedAt });
  },
};
const onSpecialist: Handlers<SpecialistEvent> = { ProposerRegistered: keptAlignment };

/** Proposals of people are not compared, nor are proposals in sessions with an inline machine. */
function compared(
  { data, position }: RecordedEvent<HumanOverrideAccepted | ExemplarImported>,
  {
    sessionId,
    roundId,
    decidedAt,
  }: { readonly sessionId: string; readonly roundId: string; readonly decidedAt: string },
): Change[] {
  if (!data.scope) return [];
  const scope = { machine_name: data.scope.machineName, state: storedText(data.scope.state ?? '') };
  const decision = { session_id: sessionId, round_id: roundId, decided_at: storedTime(decidedAt) };
  const machines = data.proposals.filter(({ isHuman }) => !isHuman);
  return machines.flatMap(({ proposalId, specialistId, specialistVersion, transitionName }) => {
    const matching = transitionName === data.transitionName ? 1 : 0;
    const one = { ...scope, specialist_id: specialistId, specialist_version: specialistVersion, position };
    return [
      addComparison({ ...one, ...decision, proposal_id: proposalId, matched: matching }),
      countComparison({ ...one, matching }),
    ];
  });
}

/** A version that keeps the alignment of another one has a copy of it: what either learns later is its own. */
function keptAlignment({ data }: ProposerRegistered): Change[] {
  const { machineName, specialistId, version, alignmentOf } = data;
  if (alignmentOf === undefined) return [];
  const versions = { machine_name: machineName, specialist_id: specialistId, from: alignmentOf, to: version };
  return [copyComparisons(versions), copyTallies(versions)];
}

/** How often each version of a proposer chose what people chose. */
export const alignmentProjection: Projection<'alignment'> = {
  name: 'alignment',
  version: 2,
  tables: [alignmentComparisonsTable, alignmentTalliesTable],
  on: { session: onSession, exemplars: onImport, specialist: onSpecialist },
};
