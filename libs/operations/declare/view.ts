import { Allow, IsArray, IsBoolean, IsIn, IsInt, IsNumber, IsObject, IsString } from 'class-validator';
import type { Json, JsonObject } from '#lib/kernel';
import type { Amounts } from './amounts.js';
import type { View } from './answers.js';
import {
  Describe,
  Fits,
  IsA,
  IsId,
  IsJson,
  IsListOf,
  IsName,
  IsNames,
  IsTime,
  IsWhole,
  Optional,
  OrNull,
} from './fields.js';

/** A member of a view: its type, its schema and its description. */
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

/** The forms of members. A type argument says more than the schema does. */
export const is = {
  id: new Member<string>([IsId()]),
  name: new Member<string>([IsName()]),
  text: new Member<string>([IsString()]),
  /** One of several words, which the documents do not list. */
  word: <T extends string>() => new Member<T>([IsString()]),
  texts: new Member<readonly string[]>([IsString({ each: true }), IsArray()]),
  names: new Member<readonly string[]>([IsNames()]),
  /** ISO 8601. */
  time: new Member<string>([IsTime()]),
  number: new Member<number>([IsNumber()]),
  int: new Member<number>([IsInt()]),
  flag: new Member<boolean>([IsBoolean()]),
  whole: (min?: number, max?: number) => new Member<number>([IsWhole(min, max)]),
  json: <T = Json>() => new Member<T>([IsJson()]),
  object: <T = JsonObject>() => new Member<T>([IsObject()]),
  array: <T>() => new Member<readonly T[]>([IsArray()]),
  any: <T>() => new Member<T>([Allow()]),
  oneOf: <const T>(values: readonly T[]) => new Member<T>([IsIn([...values])]),
  fitting: <T>(schema: JsonObject) => new Member<T>([Fits(schema)]),
  /** A form that inputs have, too. */
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

/** Optional numbers that several views have, declared as data. @param note added to the description of each */
export function amounts<Of extends Amounts>(
  of: Of,
  note?: string,
): { readonly [Name in keyof Of]: Member<number, true> } {
  const members = Object.entries(of).map(([name, { about }]) => [
    name,
    is.number.optional.about(note === undefined ? about : `${about}: ${note}`),
  ]);
  return Object.fromEntries(members) as { readonly [Name in keyof Of]: Member<number, true> };
}
