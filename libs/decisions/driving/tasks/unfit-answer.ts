import { ownMember, type Rejection } from '#lib/kernel';
import { requiresArguments, transitionsOf } from '#lib/decisions/machines';
import { type Session, unfitArguments } from '#lib/decisions/session';
import type { TakenAnswer } from '#lib/tasks/core';

/**
 * The rejection of an answer's arguments that do not fit their schema. The policy of the transition does not apply: it is for
 * proposals of models. A proposal accepted unchanged needs no arguments; a transition chosen without arguments has `{}`. This is
 * checked once, before the command is recorded, so recorded answers are not checked again.
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
  // The session itself refuses missing arguments, as `arguments-needed`.
  const isSilent = metaJson === undefined && (isAccept || requiresArguments(transition));
  return isSilent ? undefined : unfitArguments(name, transition, metaJson);
}
