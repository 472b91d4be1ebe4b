import { ownMember } from '#lib/kernel';
import type { AlignmentScope } from '../session.events.js';
import type { Session } from '../session.state.js';

/**
 * The scope in which a decision of the current round counts: a state that declares its own specialists keeps their alignment apart.
 * `undefined` if the machine came with the session.
 */
export function alignmentScope({
  machineName,
  machine,
  machineVersion,
  currentState,
}: Pick<Session, 'machineName' | 'machine' | 'machineVersion' | 'currentState'>): AlignmentScope | undefined {
  if (machineVersion === undefined) return undefined;
  const isOwn = ownMember(machine.states, currentState)?.specialists !== undefined;
  return { machineName, ...(isOwn && { state: currentState }) };
}
