import { ownMember, type Rejection } from '#lib/kernel';
import { requiresArguments, transitionsOf } from '#lib/decisions/machines';
import { type Session, unfitArguments } from '#lib/decisions/session';
import type { TakenAnswer } from '#lib/tasks/core';

/**
 * Why the arguments of an answer do not fit the schema of its choice, whatever the policy of the transition, which is for what models
 * propose. A proposal that is accepted as it is needs no arguments; a transition that is chosen without them has `{}`. It is asked once,
 * before the command is recorded, so recorded answers are never judged again.
 */
export function unfitAnswer(
  { choice, metaJson, proposalId, transitionName }: TakenAnswer['body'],
  { machine, currentState, proposals }: Session,
): Rejection | undefined {
  const isAccept = choice === 'accept';
  const accepted = proposals.find((one) => one.proposalId === proposalId)?.transitionName;
  const name = (isAccept ? accepted : transitionName) ?? '';
  const transition = ownMember(transitionsOf(machine, currentState), name);
  if (!transition) return undefined;
  // The session refuses the silence itself, in the words of `arguments-needed`.
  const isSilent = metaJson === undefined && (isAccept || requiresArguments(transition));
  return isSilent ? undefined : unfitArguments(name, transition, metaJson);
}
