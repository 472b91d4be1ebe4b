import { notAPerson } from '#lib/candidates';
import { type JsonObject, ownMember, type Rejection } from '#lib/kernel';
import { transitionsOf } from '#lib/decisions/machines';
import * as refusal from '../session.rejections.js';
import type { TransitionExecuted } from '../session.events.js';
import { currentRound, type Session } from '../session.state.js';
import { type DecidingPerson, whyNotDeciding } from './deciding-person.js';
import { approvalsNeeded, isForPeople } from './needs-person.rules.js';

/** A decision of the current round. */
interface Decision {
  readonly nextRoundId: string;
  readonly transitionName: string;
  readonly toState: string;
  readonly reasoning: string;
  readonly metaJson?: JsonObject | undefined;
  readonly decidedBy: string;
  readonly proposalId?: string | undefined;
}

/** The authority of an execution: a person who decides, an arbiter, a clock, or an operator without a round. */
type Authority =
  | { readonly type: 'person'; readonly person: DecidingPerson }
  | { readonly type: 'arbiter' }
  | { readonly type: 'timer'; readonly clockId: string }
  | { readonly type: 'operator'; readonly by?: string | undefined };

/**
 * Makes every `TransitionExecuted`. A transition that needs a person is refused to all except a named person who may decide the
 * round, and rounds that need several approvals to an arbiter. Commands of 0.2 name no person, and no transition of their
 * machines needs one.
 */
export function executedTransition(
  session: Session,
  decision: Decision,
  authority: Authority,
): TransitionExecuted | Rejection {
  const { nextRoundId, transitionName, toState, reasoning, metaJson, decidedBy, proposalId } = decision;
  const refused = whyNotExecuted(session, decision, authority);
  if (refused) return refused;
  const by = authority.type === 'person' ? authority.person.by : 'by' in authority ? authority.by : undefined;
  const isHuman = authority.type === 'person';
  const from = { fromState: session.currentState };
  // Replay also compares the order of members: all releases have recorded people's decisions in this one.
  const said = { toState, reasoning, ...(metaJson !== undefined && { metaJson }) };
  return {
    type: 'TransitionExecuted',
    data: {
      roundId: currentRound(session).roundId,
      nextRoundId,
      transitionName,
      ...(isHuman ? { ...said, ...from } : { ...from, ...said }),
      isHuman,
      decidedBy,
      ...(by !== undefined && { by }),
      ...(proposalId !== undefined && { proposalId }),
      ...(authority.type === 'timer' && { timedBy: authority.clockId }),
    },
  };
}

function whyNotExecuted(
  session: Session,
  { transitionName, metaJson }: Decision,
  authority: Authority,
): Rejection | undefined {
  const needsOne = () => {
    const transition = ownMember(transitionsOf(session.machine, session.currentState), transitionName);
    return isForPeople(session, transition, metaJson);
  };
  if (authority.type === 'person') {
    const { person } = authority;
    const isUnnamed = () => person.by === undefined && needsOne();
    return whyNotDeciding(person, session) ?? (isUnnamed() ? notAPerson() : undefined);
  }
  const isRefused = needsOne() || (authority.type === 'arbiter' && approvalsNeeded(session) > 1);
  return isRefused ? refusal.needsPerson(transitionName) : undefined;
}
