import { approvalsOf } from '#lib/candidates';
import type { JsonObject } from '#lib/kernel';
import { needsPerson, peopleOf, type TransitionDefinition } from '#lib/decisions/machines';
import type { OpenProposal } from '../session.events.js';
import type { Session } from '../session.state.js';

/** Whether only people execute this transition with these arguments. */
export function isForPeople(
  session: Session,
  transition: TransitionDefinition | undefined,
  args: JsonObject = {},
): boolean {
  return needsPerson(transition ?? {}, () => {
    const { sessionId, machineName, currentState, metaJson = {}, history } = session;
    return { args, metaJson, session: { sessionId, machineName, currentState, history } };
  });
}

/** The number of equal choices of people that a decision of the current round needs. */
export function approvalsNeeded({ machine, currentState }: Session): number {
  return approvalsOf(peopleOf(machine, currentState));
}

/**
 * The proposals that an arbiter weighs. If the definition names the people who decide, proposals stated by people, as themselves
 * or as another specialist, are left out.
 */
export function weighedProposals(session: Session): readonly OpenProposal[] {
  const { machine, currentState, proposals, personal } = session;
  if (!peopleOf(machine, currentState)) return proposals;
  return proposals.filter(({ proposalId }) => !personal.includes(proposalId));
}
