import { present } from './json.js';
import type { Event, RecordedEvent } from './event.js';
import { derivedId } from './hashes.js';
import { differences } from './json-difference.js';
import { reject, type Rejection } from './rejection.js';

/** Texts by name, by which a caller sorts and finds sessions, runs and conversations. */
export type Tags = { readonly [name: string]: string };

/** The caller's own names for a session, a run or a conversation, and the subject that it is about. */
export interface Labels {
  /** Unique for a machine, a workflow or an agent, over all of its versions and for ever. */
  readonly key?: string;
  readonly tags?: Tags;
  /** The content is encrypted under the key of this subject, and can be erased. */
  readonly subject?: string;
}

/** Labels as views show them. */
export interface ShownLabels extends Labels {
  /** The subject was erased: texts read `[erased]`, other content is left out. */
  readonly erased?: boolean;
}

/** The things that can have labels. */
export type Labelled = 'session' | 'run' | 'conversation';

/** The labels without undefined members. */
export function labelsOf({ key, tags, subject }: Labels): Labels {
  return present({ key, tags, subject });
}

/** The labels of the session, run or conversation that begins with this event, for readers. */
export function shownLabels({ data, metadata }: RecordedEvent<Event<string, Labels>>): ShownLabels {
  return { ...labelsOf(data), ...(metadata.erased && { erased: true }) };
}

/** The namespace of the ids of sessions, runs and conversations with a key. */
const KEYED = '2b1f0c9e-7c53-4d0e-9f43-55a1d1c8a6e2';

/** @param of the name of the machine, the workflow or the agent */
export function keyedId(kind: Labelled, of: string, key: string): string {
  return derivedId(KEYED, JSON.stringify([kind, of, key]));
}

/** The body of a call that makes a session, run or conversation, with its labels. */
type KeyedBody = Labels & { readonly [member: string]: unknown };

/**
 * The reason why a body is not the one with which its key was first used; `undefined` if both have the same members, in any order. Undefined members
 * count as absent.
 * @param id of the session, run or conversation with the key
 */
export function whyKeyTaken(
  kind: Labelled,
  id: string,
  asked: KeyedBody,
  before: KeyedBody,
): Rejection | undefined {
  const isSame = differences(present(asked), present(before), 1).length === 0;
  return isSame ? undefined : keyTaken(kind, id, asked.key);
}

function keyTaken(kind: Labelled, id: string, key = ''): Rejection {
  const taken = reject('conflict', 'key-taken', {
    what: `key ${JSON.stringify(key)}`,
    why: `${kind} ${id} has it, and was made with another body`,
    fix: `Use that ${kind}, send the body that made it, or choose another key`,
  });
  return { ...taken, existing: { [`${kind}Id`]: id } };
}
