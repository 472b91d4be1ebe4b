import type { RecordedEvent } from '#lib/kernel';
import type { LackingSpecialist, SessionEvent } from '../session.events.js';
import type { Session } from '../session.state.js';
import { DEFAULT_SPECIALIST } from './default-specialists.js';
import { specialistsOfState } from './specialists-of-state.js';

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
