import { ownMember } from '#lib/kernel';
import type { AlignmentScope } from '../session.events.js';
import type { Session } from '../session.state.js';

/**
 * The scope in which decisions of the current round count: a state that declares specialists has separate alignment for them.
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
