import {
  Allow,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsString,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import type { Json, JsonObject } from '#lib/kernel';
import type { View } from './answers.js';
import { IsDefinition, type Whole } from './definition.js';
import {
  Describe,
  Fits,
  IsA,
  IsId,
  IsJson,
  IsListOf,
  IsName,
  IsNameOrNull,
  IsNames,
  IsPart,
  IsTime,
  IsUniqueKey,
  IsWhole,
  Optional,
  OrNull,
  type Unknown,
} from './fields.js';

/** A member of a view or an input: its type, its schema, its check and its description. */
export class Member<T, Omitted extends boolean = false> {
  declare readonly type: T;
  declare readonly omitted: Omitted;

  constructor(readonly decorators: readonly PropertyDecorator[]) {}

  /** The member may be absent. */
  get optional(): Member<T, true> {
    return new Member([...this.decorators, Optional()]);
  }

  /** `null` counts, too. */
  get orNull(): Member<T | null, Omitted> {
    return new Member([...this.decorators, OrNull()]);
  }

  /** The description in the documents of all doors. */
  about(
    description: string,
    more?: { readonly example?: unknown; readonly default?: unknown },
  ): Member<T, Omitted> {
    return new Member([...this.decorators, Describe(description, more)]);
  }
}

/** The forms of members. A type argument may be narrower than the schema. */
export const is = {
  id: new Member<string>([IsId()]),
  /** @param unknown the rejection of a path whose text is not such an id */
  idOf: (unknown: Unknown) => new Member<string>([IsId(unknown)]),
  name: new Member<string>([IsName()]),
  /** @param unknown as for `idOf` */
  nameOf: (unknown: Unknown) => new Member<string>([IsName(unknown)]),
  nameOrNull: new Member<string | null>([IsNameOrNull()]),
  /** The caller's own name for one thing. */
  key: new Member<string>([IsUniqueKey()]),
  text: new Member<string>([IsString()]),
  textUpTo: (characters: number) => new Member<string>([MaxLength(characters), IsString()]),
  /** One of several words, which the documents do not list. */
  word: <T extends string>() => new Member<T>([IsString()]),
  texts: new Member<readonly string[]>([IsString({ each: true }), IsArray()]),
  names: new Member<readonly string[]>([IsNames()]),
  /** ISO 8601. */
  time: new Member<string>([IsTime()]),
  number: new Member<number>([IsNumber()]),
  /** A number from 0. */
  amount: new Member<number>([Min(0), IsNumber()]),
  /** A number from 0 to 1. */
  share: new Member<number>([Max(1), Min(0), IsNumber()]),
  int: new Member<number>([IsInt()]),
  flag: new Member<boolean>([IsBoolean()]),
  whole: (min?: number, max?: number) => new Member<number>([IsWhole(min, max)]),
  json: <T = Json>() => new Member<T>([IsJson()]),
  object: <T = JsonObject>() => new Member<T>([IsObject()]),
  array: <T>() => new Member<readonly T[]>([IsArray()]),
  any: <T>() => new Member<T>([Allow()]),
  oneOf: <const T>(values: readonly T[]) => new Member<T>([IsIn([...values])]),
  fitting: <T>(schema: JsonObject) => new Member<T>([Fits(schema)]),
  /** An object with the fields of this class, which are checked as those of the input are. */
  part: <Of extends new () => object>(of: Of) => new Member<InstanceType<Of>>([IsPart(of)]),
  /** The whole body, which the handler checks by its own rules. @param of says its shape */
  definition: <T>(of: View) => new Member<Whole<T>>([IsDefinition(of)]),
  /** Several rules together, in the order in which decorators are written. */
  form: <T>(...decorators: readonly PropertyDecorator[]) => new Member<T>(decorators.toReversed()),
  a,
  listOf,
};

function a<Of extends View>(of: Of): Member<InstanceType<Of>>;
function a<T>(of: View): Member<T>;
function a(of: View): Member<unknown> {
  return new Member([IsA(of)]);
}

function listOf<Of extends View>(of: Of): Member<readonly InstanceType<Of>[]>;
function listOf<T>(of: View): Member<readonly T[]>;
function listOf(of: View): Member<readonly unknown[]> {
  return new Member([IsListOf(of)]);
}

interface Members {
  readonly [name: string]: { readonly decorators: readonly PropertyDecorator[] };
}
type TypeOf<One> = One extends Member<infer T, boolean> ? T : never;
type Values<Of extends Members> = {
  [Name in keyof Of as Of[Name] extends Member<unknown, true> ? never : Name]: TypeOf<Of[Name]>;
} & {
  [Name in keyof Of as Of[Name] extends Member<unknown, true> ? Name : never]?: TypeOf<Of[Name]>;
};

/**
 * The base of a view: its members, each declared once, are its type and its schema.
 * @param base another view, whose members it has, too
 */
export function view<Of extends Members>(members: Of): abstract new () => Values<Of>;
export function view<Base extends View, Of extends Members>(
  base: Base,
  members: Of,
): abstract new () => InstanceType<Base> & Values<Of>;
export function view(first: View | Members, more: Members = {}): View {
  const [base, members] = typeof first === 'function' ? [first, more] : [Object, first];
  abstract class WithMembers extends base {}
  for (const [name, { decorators }] of Object.entries(members))
    for (const decorate of decorators) decorate(WithMembers.prototype, name);
  return WithMembers;
}

/**
 * The base of an input: the message of an operation with its fields, each declared once, as the members of a view are. In the documents
 * of all doors they have this order.
 */
export function input<Message extends View, Of extends Members>(
  message: Message,
  fields: Of,
): abstract new () => InstanceType<Message> & Values<Of> {
  return view(message, fields);
}

/** Optional numbers that several inputs and views have, declared as data. */
interface Amounts {
  readonly [member: string]: { readonly about: string; readonly isWhole?: boolean };
}
type AmountsOf<Of extends Amounts> = { readonly [Name in keyof Of]: Member<number, true> };

/** The amounts of a view. @param note added to the description of each */
export function amounts<Of extends Amounts>(of: Of, note?: string): AmountsOf<Of> {
  return amountsIn(of, note, () => is.number);
}

/** The amounts of an input, each at least 0. @param note as for `amounts` */
export function givenAmounts<Of extends Amounts>(of: Of, note: string): AmountsOf<Of> {
  const amount = is.form<number>(Min(0), IsNumber());
  return amountsIn(of, note, (isWhole) => (isWhole ? is.whole() : amount));
}

function amountsIn<Of extends Amounts>(
  of: Of,
  note: string | undefined,
  form: (isWhole: boolean) => Member<number>,
): AmountsOf<Of> {
  const members = Object.entries(of).map(([name, { about, isWhole = false }]) => [
    name,
    form(isWhole).optional.about(note === undefined ? about : `${about}: ${note}`),
  ]);
  return Object.fromEntries(members) as AmountsOf<Of>;
}
