import { type Event, type JsonObject, jsonText, RedialError } from '#lib/kernel';
import type { DeclaredMembers, MemberKinds } from './event-members.js';

/** The newest schema version of an event type, and how data of each older version becomes the next one. */
export interface EventDefinition {
  /** From 1. */
  readonly version: number;
  /** The kinds of the members of its data in this version. Absent: all of it is content. */
  readonly members?: { readonly [member: string]: MemberKinds };
  /** `earlier[n]` has the kinds in version n. With `members` there is one for each n below `version`. */
  readonly earlier?: { readonly [version: number]: { readonly [member: string]: MemberKinds } };
  /** By JSON pointer into its data: what stands for content that is no text and that readers need, once its subject is erased. */
  readonly blanks?: JsonObject;
  /** `upcasters[n]` turns data of version n into version n + 1. There is one for each n below `version`. */
  readonly upcasters?: { readonly [fromVersion: number]: (data: JsonObject) => JsonObject };
  /**
   * The lowest version whose readers take these data as they are meant; default: the newest. Data that an older build would take for
   * less than they restrict need a version that it does not know; all others stay readable for it.
   */
  readonly versionOf?: (data: JsonObject) => number;
}

/** The events of a workflow of an application: one entry for each type, so that the compiler finds a missing one. */
export type EventDefinitions<E extends Event = Event> = { readonly [Type in E['type']]: EventDefinition };

/** A lib's declaration of its events and of the kinds of their members: a missing type or member is a type error. */
export type DeclaredEvents<E extends Event> = {
  readonly [Type in E['type']]: EventDefinition & {
    readonly members: DeclaredMembers<Extract<E, { readonly type: Type }>['data']>;
  };
};

/** The declared events contradict each other. Found at start. */
export class InvalidEventCatalogue extends RedialError {}

/** @throws InvalidEventCatalogue when a type is declared twice or a version of one lacks its upcaster or its kinds */
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
