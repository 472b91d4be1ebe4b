import type { RecordedEvent } from '#lib/kernel';
import type { LackingSpecialist, SessionEvent } from '../session.events.js';
import type { Session } from '../session.state.js';
import { specialistsOfState } from './specialists-of-state.js';
import { transitionsOf } from '#lib/decisions/machines';
import type { ArbiterRef } from '../consensus/consensus-question.js';

/**
 * The specialists of a history file's log that would take part in the current state of its fork.
 * @param registered specialists of this log
 */
export function lackingSpecialists(
  { machine, currentState, fork }: Pick<Session, 'machine' | 'currentState' | 'fork'>,
  registered: readonly { readonly specialistId: string }[] = [],
): readonly string[] {
  const known = new Set([
    ...Object.keys(fork?.specialists ?? {}),
    ...registered.map(({ specialistId }) => specialistId),
  ]);
  const lacking = (fork?.lacks ?? []).filter(({ specialistId }) => !known.has(specialistId));
  const candidates = lacking.map((one) => ({ ...one, isHuman: false, enabled: true, standsAlone: true }));
  return specialistsOfState(machine, currentState, candidates).map(({ specialistId }) => specialistId);
}

/** For people: the reason why a fork waits. */
export function whyLacking(specialistIds: readonly string[]): string {
  return `${specialistIds.join(', ')} of the log of the history file cannot be asked: not registered here`;
}

/** The non-human specialists in the events of a session. */
export function namedSpecialists(
  events: readonly RecordedEvent<SessionEvent>[],
): readonly LackingSpecialist[] {
  const named = new Map(events.flatMap((event) => namedIn(event).map((one) => [one.specialistId, one])));
  named.delete(DEFAULT_SPECIALIST);
  return [...named.values()];
}

function namedIn({ type, data }: SessionEvent): readonly LackingSpecialist[] {
  switch (type) {
    case 'SessionForked':
      return data.lacks ?? [];
    case 'ProposalSolicited':
      return [{ specialistId: data.specialistId, role: 'proposer' }];
    case 'ProposalSubmitted':
      return data.isHuman ? [] : [{ specialistId: data.specialistId, role: 'proposer' }];
    case 'ArbitrationRequested':
    case 'ConsensusReached':
    case 'ConsensusNotReached':
      return [{ specialistId: data.arbiter.specialistId, role: 'arbiter' }];
    default:
      return [];
  }
}

/** The id of the built-in specialists of `run` in events. No specialist can be registered under it. */
export const DEFAULT_SPECIALIST = 'default';

/** The arbiter of `run` if none is registered for the machine. */
export const defaultArbiter: ArbiterRef = {
  specialistId: DEFAULT_SPECIALIST,
  specialistVersion: 1,
  strategyFnName: 'firstProposal',
};

/** The choice of `run`'s built-in proposer, which is used if none is registered: the first transition. */
export function defaultChoice({ machine, currentState }: Pick<Session, 'machine' | 'currentState'>) {
  const [transitionName = ''] = Object.keys(transitionsOf(machine, currentState));
  return { transitionName, reasoning: `${transitionName}: the first transition` };
}
