import type { ActivityMemory, RunGiven } from '#lib/workflow';
import {
  escapePointerToken,
  isJsonObject,
  type Json,
  type JsonObject,
  jsonText,
  ownMember,
  pointerTokens,
  sha256,
} from '#lib/kernel';

// A request does not copy the input of its run: the log would hold the history of a session once for each call. The object that is sent is made of
// the parts of `<member>From`, in order, and `<member>Sha256` is the hash of its JSON text.

/**
 * A part of an object. Without `as`: all members of the object at this JSON pointer into the context of the run. With `as`: one member, from the
 * context, from the input or the facts of the run, or with its value in place.
 */
export type GivenPart =
  | { readonly context: string; readonly as?: string }
  | { readonly input: string; readonly as: string }
  | { readonly facts: string; readonly as: string }
  | { readonly value: Json; readonly as: string };

/** The memory of activities whose requests refer only to the values that the run was given. */
export const givenMemory: ActivityMemory<RunGiven> = { begin: (given) => given };

/** A reference is not shorter than a value with a shorter text. */
const SHORTEST = 64;

/** The call with this member by reference, if that is shorter. */
export function referring(call: JsonObject, name: string, given: RunGiven): JsonObject {
  const { [name]: value, ...rest } = call;
  const parts = isJsonObject(value) ? partsOf(value, given) : [];
  if (parts.every((part) => 'value' in part)) return call;
  const text = jsonText(value);
  const reference = { [`${name}From`]: parts, [`${name}Sha256`]: sha256(text) };
  return jsonText(reference).length < text.length ? { ...rest, ...reference } : call;
}

/** @throws TypeError if the run was given other values than when the call was requested */
export function referred(request: JsonObject, name: string, given: RunGiven): Json {
  const { [name]: whole = null, [`${name}From`]: parts } = request;
  if (parts === undefined) return whole;
  const value = putTogether(parts as readonly GivenPart[], given);
  if (sha256(jsonText(value)) === request[`${name}Sha256`]) return value;
  throw new TypeError(`The ${name} of the call is not the one that was requested.`);
}

function putTogether(parts: readonly GivenPart[], given: RunGiven): JsonObject {
  const members = parts.flatMap((part): [string, Json][] => {
    const value = valueOf(part, given);
    if (part.as !== undefined) return [[part.as, value]];
    return isJsonObject(value) ? membersOf(value) : [];
  });
  return Object.fromEntries(members);
}

function valueOf(part: GivenPart, given: RunGiven): Json {
  if ('value' in part) return part.value;
  if ('input' in part) return at(given.input, part.input);
  return 'facts' in part ? at(given.facts, part.facts) : at(given.context, part.context);
}

function partsOf(value: JsonObject, given: RunGiven): readonly GivenPart[] {
  const members = membersOf(value);
  const base = longestBase(members, given.context);
  const known = [
    ...valuesIn('context', given.context, 2),
    ...valuesIn('input', given.input, 1),
    ...valuesIn('facts', given.facts, 1),
  ];
  const find = (member: Json) =>
    jsonText(member).length < SHORTEST ? undefined : known.find((one) => isSame(one.value, member));
  const rest = members.slice(base?.size ?? 0).map(([as, member]): GivenPart => {
    const found = find(member);
    return found ? ({ [found.of]: found.pointer, as } as GivenPart) : { value: member, as };
  });
  return [...(base ? [{ context: base.pointer }] : []), ...rest];
}

/** The largest object of the context whose members are the first members of the value. */
function longestBase(members: readonly [string, Json][], context: Json) {
  let longest: { readonly pointer: string; readonly size: number } | undefined;
  for (const { pointer, value } of [{ pointer: '', value: context }, ...valuesIn('context', context, 1)]) {
    const base = isJsonObject(value) ? membersOf(value) : [];
    const isShared = base.every(([name, one], index) => {
      const [own, member] = members[index] ?? [];
      return own === name && isSame(one, member);
    });
    if (isShared && base.length > (longest?.size ?? 0)) longest = { pointer, size: base.length };
  }
  return longest;
}

interface KnownValue {
  readonly of: keyof RunGiven;
  readonly pointer: string;
  readonly value: Json;
}

/** The members of an object, and their members, down to this depth. */
function valuesIn(of: KnownValue['of'], value: Json, depth: number, pointer = ''): readonly KnownValue[] {
  if (depth === 0 || !isJsonObject(value)) return [];
  return membersOf(value).flatMap(([name, member]) => {
    const location = `${pointer}/${escapePointerToken(name)}`;
    return [{ of, pointer: location, value: member }, ...valuesIn(of, member, depth - 1, location)];
  });
}

function isSame(one: Json, other: Json | undefined): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  return Object.keys(one).length === Object.keys(other).length && jsonText(one) === jsonText(other);
}

function at(value: Json, pointer: string): Json {
  return (pointerTokens(pointer) ?? []).reduce<Json>(
    (holder, name) => (isJsonObject(holder) ? (ownMember(holder, name) ?? null) : null),
    value,
  );
}

function membersOf(value: JsonObject): [string, Json][] {
  return Object.entries(value).filter((entry): entry is [string, Json] => entry[1] !== undefined);
}
