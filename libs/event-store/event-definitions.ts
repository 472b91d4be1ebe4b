import { type Event, type JsonObject, jsonText, RedialError } from '#lib/kernel';
import type { DeclaredMembers, MemberKinds } from './event-members.js';

/** The newest schema version of an event type, and the changes from each older version to the next. */
export interface EventDefinition {
  /** From 1. */
  readonly version: number;
  /** The kinds of the members of its data in this version. If absent, all of the data is content. */
  readonly members?: { readonly [member: string]: MemberKinds };
  /** `earlier[n]` has the kinds in version n. With `members` there is one for each n below `version`. */
  readonly earlier?: { readonly [version: number]: { readonly [member: string]: MemberKinds } };
  /** The values that replace erased content that is no text and that readers need, by JSON pointer into the data. */
  readonly blanks?: JsonObject;
  /** `upcasters[n]` turns data of version n into version n + 1. There is one for each n below `version`. */
  readonly upcasters?: { readonly [fromVersion: number]: (data: JsonObject) => JsonObject };
  /**
   * The lowest version whose readers understand these data in full; default: the newest. If an older build would miss a restriction in the data, they
   * need a version that it does not know. All other data stay readable for it.
   */
  readonly versionOf?: (data: JsonObject) => number;
}

/** The events of an application's workflow: one entry for each type, so that the compiler finds a missing one. */
export type EventDefinitions<E extends Event = Event> = { readonly [Type in E['type']]: EventDefinition };

/** A lib's declaration of its events and of the kinds of their members: a missing type or member is a type error. */
export type DeclaredEvents<E extends Event> = {
  readonly [Type in E['type']]: EventDefinition & {
    readonly members: DeclaredMembers<Extract<E, { readonly type: Type }>['data']>;
  };
};

/** The declared events contradict each other. Found at start. */
export class InvalidEventCatalogue extends RedialError {}

/** @throws InvalidEventCatalogue if a type is declared twice or a version of one lacks its upcaster or its kinds */
export function checkDefinitions(all: readonly [type: string, EventDefinition][]): void {
  for (const [type, definition] of all) checkDefinition(type, definition, all);
}

function checkDefinition(
  type: string,
  definition: EventDefinition,
  all: readonly [string, EventDefinition][],
): void {
  if (all.filter(([other]) => other === type).length > 1) {
    throw new InvalidEventCatalogue(
      `event type ${type}`,
      'it is declared twice',
      'Declare each type in one lib',
    );
  }
  if (!Number.isSafeInteger(definition.version) || definition.version < 1) {
    throw new InvalidEventCatalogue(
      `event type ${type}`,
      `its version is ${definition.version}`,
      'Count versions from 1',
    );
  }
  checkVersions(type, definition, 'upcasters from', definition.upcasters);
  if (definition.members) checkVersions(type, definition, 'members of', definition.earlier);
}

function checkVersions(type: string, { version }: EventDefinition, what: string, of: object = {}): void {
  const expected = Array.from({ length: version - 1 }, (_, index) => String(index + 1));
  const given = Object.keys(of);
  if (jsonText(expected) === jsonText(given)) return;
  throw new InvalidEventCatalogue(
    `event type ${type} version ${version}`,
    `it has ${what} versions [${given.join(', ')}]`,
    `Give one for each of [${expected.join(', ')}]`,
  );
}
