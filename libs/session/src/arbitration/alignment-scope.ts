import { ownMember } from '#lib/kernel';
import type { AlignmentScope } from '../session.events.js';
import type { Session } from '../session.state.js';

/** Where a decision of the current round teaches: a state that declares its own specialists keeps their alignment apart. */
export function alignmentScope({
  machineName,
  machine,
  currentState,
}: Pick<Session, 'machineName' | 'machine' | 'currentState'>): AlignmentScope {
  const isOwn = ownMember(machine.states, currentState)?.specialists !== undefined;
  return { machineName, ...(isOwn && { state: currentState }) };
}
