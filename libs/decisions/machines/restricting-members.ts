import { isJsonObject, type JsonObject, ownMember } from '#lib/kernel';

/**
 * Members of a machine, a state and a transition since 0.3 that restrict who executes a transition. An event with a machine that
 * has none of them is of version 1.
 */
export const RESTRICTING_MEMBERS = {
  machine: ['people'],
  state: ['people', 'after'],
  transition: ['needsPerson'],
} as const;

/** The schema version of an event with this machine: 0.2 would read version 1 and decide without people. */
export function versionWithMachine(machine: unknown): 1 | 2 {
  const states = membersOf(machine, 'states');
  const transitions = states.flatMap((state) => membersOf(state, 'transitions'));
  const isRestricted =
    hasAny([machine], RESTRICTING_MEMBERS.machine) ||
    hasAny(states, RESTRICTING_MEMBERS.state) ||
    hasAny(transitions, RESTRICTING_MEMBERS.transition);
  return isRestricted ? 2 : 1;
}

function membersOf(value: unknown, name: string): readonly unknown[] {
  const members: unknown = isJsonObject(value) ? ownMember(value, name) : undefined;
  return isJsonObject(members) ? Object.values(members) : [];
}

function hasAny(values: readonly unknown[], members: readonly string[]): boolean {
  return values.some((value) => isJsonObject(value) && members.some((name) => has(value, name)));
}

function has(value: JsonObject, name: string): boolean {
  return ownMember(value, name) !== undefined;
}
