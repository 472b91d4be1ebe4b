import {
  below,
  derivedId,
  firstProblem,
  isJsonObject,
  ownMember,
  present,
  type Problem,
  reject,
} from '#lib/kernel';
import { type MachineDefinition, transitionsOf } from '#lib/decisions/machines';
import { malformed, readFields, RejectionError } from '#lib/operations';
import { alignmentScope, type ExemplarImported, type OpenProposal } from '#lib/decisions/session';
import { PastDecision, PastProposal } from './past-decision.views.js';

/** The versions of the proposers in an import. */
export type KnownVersions = ReadonlyMap<string, { readonly current: number; readonly last: number }>;

interface Import {
  readonly versions: KnownVersions;
  /** The command of the import. */
  readonly commandId: string;
  /** ISO 8601, UTC: the time of decisions without one. */
  readonly now: string;
}

const MOST_PROPOSALS = 100;

/** @throws RejectionError `malformed`, with a pointer to the value that cannot be read */
export function readPastDecisions(given: readonly unknown[]): readonly PastDecision[] {
  return given.map((one, index) => {
    const decision = readItem(PastDecision, one, `/exemplars/${index}`);
    const { proposals = [] } = decision;
    const path = `/exemplars/${index}/proposals`;
    if (proposals.length > MOST_PROPOSALS)
      throw new RejectionError(malformed([{ path, message: `has more than ${MOST_PROPOSALS} items` }]));
    proposals.forEach((proposal, at) => readItem(PastProposal, proposal, `${path}/${at}`));
    return decision;
  });
}

function readItem<T extends object>(type: new () => T, item: unknown, base: string): T {
  if (!isJsonObject(item))
    throw new RejectionError(malformed([{ path: base, message: 'must be an object' }]));
  try {
    return readFields(type, item);
  } catch (error) {
    if (!(error instanceof RejectionError)) throw error;
    const { problems = [] } = error.rejection;
    throw new RejectionError(malformed(below(base, problems)));
  }
}

/**
 * The decisions as events hold them.
 * @throws RejectionError with a pointer to each state, transition or version that the machine does not have
 */
export function readExemplars(
  machine: MachineDefinition,
  decisions: readonly PastDecision[],
  about: Import,
): readonly ExemplarImported['data'][] {
  const problems = decisions.flatMap((decision, index) =>
    below(`/exemplars/${index}`, problemsOf(machine, decision, about)),
  );
  if (problems.length > 0) throw new RejectionError(unknownParts(problems));
  return decisions.map((decision, index) => {
    const exemplarId = derivedId(about.commandId, `exemplar-${index}`);
    return exemplar(machine, decision, { ...about, exemplarId });
  });
}

function problemsOf(
  machine: MachineDefinition,
  { state, transitionName, proposals = [] }: PastDecision,
  { versions }: Import,
): readonly Problem[] {
  if (!Object.hasOwn(machine.states, state))
    return [{ path: '/state', message: 'is not a state of the machine' }];
  const offered = transitionsOf(machine, state);
  const notOffered = { message: 'is not a transition of the state' };
  return [
    ...(ownMember(offered, transitionName) ? [] : [{ path: '/transitionName', ...notOffered }]),
    ...proposals.flatMap((proposal, at): Problem[] => {
      const path = `/proposals/${at}`;
      const known = versions.get(proposal.specialistId);
      if (!known)
        return [
          { path: `${path}/specialistId`, message: 'is not a proposer of the machine, or is a person' },
        ];
      if (proposals.findIndex(({ specialistId }) => specialistId === proposal.specialistId) < at)
        return [{ path: `${path}/specialistId`, message: 'is named twice' }];
      if ((proposal.specialistVersion ?? 1) > known.last)
        return [{ path: `${path}/specialistVersion`, message: `is above the last one, ${known.last}` }];
      if (ownMember(offered, proposal.transitionName)) return [];
      return [{ path: `${path}/transitionName`, ...notOffered }];
    }),
  ];
}

function exemplar(
  machine: MachineDefinition,
  decision: PastDecision,
  { versions, now, exemplarId }: Import & { readonly exemplarId: string },
): ExemplarImported['data'] {
  const { state, transitionName, specialistId, reasoning = '', metaJson, sessionMetaJson } = decision;
  const { machineName } = machine;
  const choice = (name: string) => ({
    transitionName: name,
    toState: ownMember(transitionsOf(machine, state), name)?.target ?? '',
  });
  const scope = alignmentScope({ machineName, machine, machineVersion: 1, currentState: state });
  return {
    exemplarId,
    specialistId,
    fromState: state,
    ...choice(transitionName),
    reasoning,
    ...present({ metaJson, sessionMetaJson }),
    scope: scope ?? { machineName },
    proposals: (decision.proposals ?? []).map((proposal, index): OpenProposal => {
      const { specialistId: proposer, specialistVersion = versions.get(proposer)?.current ?? 1 } = proposal;
      const proposalId = derivedId(exemplarId, `proposal-${index}`);
      const who = { proposalId, specialistId: proposer, specialistVersion, isHuman: false };
      return { ...who, ...choice(proposal.transitionName), reasoning: '' };
    }),
    decidedAt: decision.decidedAt ?? now,
  };
}

function unknownParts(problems: readonly Problem[]) {
  const text = {
    what: 'nothing was imported',
    why: firstProblem(problems),
    fix: 'Correct the listed problems, and send all decisions again',
  };
  return reject('refused', 'invalid-exemplars', text, problems);
}
