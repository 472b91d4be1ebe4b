import { ownMember, type Rejection } from '#lib/kernel';
import { transitionsOf } from '#lib/machine';
import { refusedArguments } from '../refused-arguments.js';
import type { Session } from '../session.state.js';
import type { CallerInput } from '../choice.js';

/** Why the arguments that a caller gives a decision are refused. Without any, the winning proposal's stand, which were checked before. */
export function refusedDecision(
  session: Session,
  transitionName: string,
  { metaJson }: CallerInput,
): Rejection | undefined {
  const transition = ownMember(transitionsOf(session.machine, session.currentState), transitionName);
  return metaJson && transition ? refusedArguments(transitionName, transition, metaJson) : undefined;
}
