import { ownMember, type JsonObject } from '#lib/kernel';
import {
  argumentsSchema,
  requiresArguments,
  type TransitionDefinition,
  transitionsOf,
} from '#lib/decisions/machines';
import type { Session } from '#lib/decisions/session';
import { closedChoice, type TaskChoiceView } from '#lib/tasks/core';

/** The possible answers to the round of a session: to accept one of its proposals, or to choose a transition. */
export function decisionChoices({ machine, currentState, proposals }: Session): readonly TaskChoiceView[] {
  const transitions = transitionsOf(machine, currentState);
  const accepts = proposals.map(({ proposalId, transitionName, toState }): TaskChoiceView => {
    const args = argumentsOf(ownMember(transitions, transitionName));
    const members = { proposalId: { const: proposalId }, metaJson: args };
    const schema = closed('accept', members, ['proposalId']);
    return { choice: 'accept', transitionName, toState, proposalId, schema };
  });
  const chooses = Object.entries(transitions).map(([transitionName, transition]): TaskChoiceView => {
    const { target: toState } = transition;
    const members = { transitionName: { const: transitionName }, metaJson: argumentsOf(transition) };
    const needed = ['transitionName', ...(requiresArguments(transition) ? ['metaJson'] : [])];
    return { choice: 'transition', transitionName, toState, schema: closed('transition', members, needed) };
  });
  return [...accepts, ...chooses];
}

/** The schema of a transition's arguments, whatever its policy for those of models; any object without declared parameters. */
function argumentsOf({ parameters }: Pick<TransitionDefinition, 'parameters'> = {}): JsonObject {
  return parameters ? argumentsSchema(parameters) : { type: 'object' };
}

function closed(choice: string, members: JsonObject, needed: readonly string[]): JsonObject {
  return closedChoice(choice, members, ['digest', ...needed]);
}
