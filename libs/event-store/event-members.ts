import type { EventMetadata, Json } from '#lib/kernel';

/**
 * The kind of a member of an event. `structure`: ids, names of states and of parts of definitions, kinds, numbers and times. It is never encrypted,
 * and rows may depend on it. `content`: texts and values that people, models and tools write or are given. `derived`: a hash, a size or a fingerprint
 * of content, from which short content can be guessed.
 */
export type MemberKind = 'structure' | 'content' | 'derived';

/**
 * The kinds of a value. A kind covers the whole value; `[items]` covers the items of a list; an object covers the members that it names, and by `*`
 * those that it does not name.
 */
export type MemberKinds =
  | MemberKind
  | readonly [items: MemberKinds]
  | { readonly [member: string]: MemberKinds };

/**
 * The kinds of all members of an object, with those of every alternative of a union. Only content is declared as a whole: an object with structure in
 * it names each of its members, so that a new member is a type error until it is declared.
 */
export type DeclaredMembers<T> = {
  readonly [Name in NameOf<T>]-?: KindsOf<Exclude<ValueOf<T, Name>, undefined>>;
};

type NameOf<T> = T extends unknown ? keyof T : never;
type ValueOf<T, Name> = T extends unknown ? (Name extends keyof T ? T[Name] : never) : never;
type Plain = string | number | boolean | null;

type KindsOf<T> = [T] extends [Plain]
  ? MemberKind
  : unknown extends T
    ? MemberKinds
    : [Json] extends [T]
      ? MemberKind
      : 'content' | KindsInside<T>;

type KindsInside<T> = [T] extends [readonly (infer Item)[]]
  ? readonly [KindsOf<Item>] | ([Item] extends [Plain] ? MemberKind : never)
  : string extends NameOf<T>
    ? KindsOfMap<T>
    : DeclaredMembers<T>;

/** The kinds of a map whose keys are data. If the keys are content, the map needs the kind `content`. */
type KindsOfMap<T> =
  | { readonly '*': KindsOf<Exclude<ValueOf<T, string>, undefined>>; readonly [member: string]: MemberKinds }
  | ([ValueOf<T, string>] extends [Json | undefined] ? MemberKind : never);

/** The kinds of an event's metadata. */
export const metadataMembers = {
  schemaVersion: 'structure',
  occurredAt: 'structure',
  correlationId: 'structure',
  causationId: 'structure',
  commandId: 'structure',
  copied: 'structure',
  commandFingerprint: 'derived',
  actor: 'structure',
  command: { type: 'structure', besides: 'content', data: 'content' },
  traceparent: 'structure',
  // Blobs are made of the stored text: for encrypted content, their hashes are those of the encrypted text.
  encoding: {
    encrypted: ['structure'],
    blobs: [{ pointer: 'structure', sha256: 'structure', bytes: 'structure' }],
  },
  keyId: 'structure',
  erased: 'structure',
  prevHash: 'structure',
} as const satisfies DeclaredMembers<EventMetadata>;
