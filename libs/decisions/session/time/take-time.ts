import { isRejection, jsonText, ownMember, type Rejection } from '#lib/kernel';
import { isAtRest, transitionsOf } from '#lib/decisions/machines';
import { executedTransition } from '../people/executed-transition.js';
import { refusedArguments } from '../refused-arguments.js';
import type { TakeTime } from '../session.commands.js';
import type { SessionEvent } from '../session.events.js';
import * as refusal from '../session.rejections.js';
import { currentRound, type Session } from '../session.state.js';
import { MOST_TIMED, openClocks } from './clocks.js';

/** The id in events of timers' decisions. No specialist can be registered under it. */
const TIMER = 'timer';

/**
 * Records the end of a clock. The end of a clock that ended with its round or wait before gives no event: the earlier append
 * stands. A transition that no timer may execute decides nothing.
 */
export function takeTime({ data }: TakeTime, session: Session): readonly SessionEvent[] {
  const { clockId, result } = data;
  const { roundId } = currentRound(session);
  const failed = (failure: { readonly kind: string; readonly message: string }): readonly SessionEvent[] => [
    { type: 'ClockEnded', data: { clockId, roundId, failure } },
  ];
  if (!openClocks(session).includes(clockId)) return [];
  if ('failure' in result) return failed(result.failure);
  const expired = { type: 'ClockEnded', data: { clockId, roundId } } as const;
  if (result.transition === undefined) return [expired];
  const executed = execution(data, session, result.transition);
  if (!isRejection(executed)) return executed;
  return clockId === session.clocks.wait ? [expired] : failed({ kind: 'refused', message: executed.message });
}

function execution(
  { clockId, nextRoundId }: TakeTime['data'],
  session: Session,
  transitionName: string,
): readonly SessionEvent[] | Rejection {
  const { machine, currentState, clocks, timedInARow } = session;
  const offers = transitionsOf(machine, currentState);
  const offered = ownMember(offers, transitionName);
  if (!offered) return refusal.transitionNotOffered(transitionName, currentState, Object.keys(offers));
  const { target: toState } = offered;
  const reasoning =
    clockId === clocks.wait ? 'the wait for people has expired' : 'the time of the round is over';
  const decision = { nextRoundId, transitionName, toState, reasoning, decidedBy: TIMER };
  const executed =
    refusedArguments(transitionName, offered, undefined) ??
    executedTransition(session, decision, { type: 'timer', clockId });
  if (isRejection(executed)) return executed;
  const isLast = timedInARow + 1 >= MOST_TIMED && !isAtRest(machine, toState);
  const detail = `timers have made ${MOST_TIMED} decisions in a row, the last one ${jsonText(transitionName)}`;
  const wait = { roundId: nextRoundId, reason: 'timer-limit', detail } as const;
  return isLast ? [executed, { type: 'HumanInputRequested', data: wait }] : [executed];
}
