import { jsonText } from '#lib/kernel';
import {
  storedText,
  storedTime,
  storedUuid,
  textFromStored,
  timeFromStored,
  uuidFromStored,
} from './stored-values.js';

export type SqlValue = string | number | Buffer | null;

/** Types with the same meaning on every engine. */
type SqlType = 'text' | 'integer' | 'bigint' | 'double precision';

/** A column, and the codec of its member. */
export interface Column<Stored extends SqlValue = SqlValue, In = never, Out = unknown> {
  readonly type: SqlType | 'blob';
  readonly isNullable?: boolean;
  /** Null is a value of the member; by default null means that the member is absent. */
  readonly showsNull?: boolean;
  /** Stored for an absent member, in a column that is not nullable. */
  readonly absent?: SqlValue;
  /** Only for SQL: records do not show it. */
  readonly isHidden?: boolean;
  /** Absent: stored unchanged. Never called with undefined or null. */
  toStored?(value: In): Stored;
  fromStored?(stored: Stored): Out;
}

/** A column that stores its member unchanged; `?` marks an optional one. */
type PlainColumn = SqlType | `${SqlType}?`;

/** Columns by name. */
export interface Columns {
  readonly [column: string]: PlainColumn | Column;
}

type PlainValue<C> = C extends `text${string}` ? string : number;
type Nothing<C> = C extends `${string}?` ? null | undefined : never;

type StoredOf<C> = C extends PlainColumn
  ? PlainValue<C> | Exclude<Nothing<C>, undefined>
  : C extends Column<infer Stored, infer _, infer __>
    ? Stored
    : never;
type InOf<C> = C extends PlainColumn
  ? PlainValue<C> | Nothing<C>
  : C extends Column<infer _, infer In, infer __>
    ? In
    : never;
type OutOf<C> = C extends PlainColumn
  ? PlainValue<C> | Exclude<Nothing<C>, null>
  : C extends Column<infer _, infer __, infer Out>
    ? Out
    : never;

/** The member of a column: `cost_usd` is `costUSD`. */
type Member<Name> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Rest extends 'usd' ? 'USD' : Capitalize<Member<Rest>>}`
  : Name;

type Flat<T> = { readonly [K in keyof T]: T[K] };

/** A row of these columns, with stored values. */
export type Row<C extends Columns> = { readonly [Name in keyof C]: StoredOf<C[Name]> };

/** The values from which a row is written. */
export type Input<C extends Columns> = Flat<
  {
    [Name in keyof C as undefined extends InOf<C[Name]> ? never : Member<Name>]: InOf<C[Name]>;
  } & {
    [Name in keyof C as undefined extends InOf<C[Name]> ? Member<Name> : never]?: InOf<C[Name]>;
  }
>;

/** The values that are read from a row, without hidden columns. */
export type Output<C extends Columns> = Flat<
  {
    [Name in keyof C as undefined extends OutOf<C[Name]> ? never : Member<Name>]: OutOf<C[Name]>;
  } & {
    [
      Name in keyof C as undefined extends OutOf<C[Name]>
        ? OutOf<C[Name]> extends undefined
          ? never
          : Member<Name>
        : never
    ]?: OutOf<C[Name]>;
  }
>;

export function memberOf(column: string): string {
  return column.replace(/_usd$/, 'USD').replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

export function columnOf(declared: PlainColumn | Column): Column {
  if (typeof declared !== 'string') return declared;
  return { type: declared.replace('?', '') as SqlType, isNullable: declared.endsWith('?') };
}

/** @param value of the column's member: neither undefined nor null */
export function storedIn(column: Column, value: unknown): SqlValue {
  return column.toStored ? column.toStored(value as never) : (value as SqlValue);
}

/** Text from outside: it may contain characters that a database cannot store. */
export const freeText: Column<string, string, string> = {
  type: 'text',
  toStored: storedText,
  fromStored: textFromStored,
};

/** A UUID in lower case, as its 16 bytes, which sort like its text. Any other text is kept too. */
export const uuid: Column<Buffer, string, string> = {
  type: 'blob',
  toStored: storedUuid,
  fromStored: uuidFromStored,
};

/** ISO 8601, UTC. */
export const time: Column<number, string, string> = {
  type: 'bigint',
  toStored: storedTime,
  fromStored: timeFromStored,
};

/** True or false. */
export const flag: Column<number, boolean, boolean> = {
  type: 'integer',
  toStored: (value) => (value ? 1 : 0),
  fromStored: (stored) => stored === 1,
};

/** True, or absent. */
export const mark: Column<number, boolean, true | undefined> = {
  type: 'integer',
  absent: 0,
  toStored: (value) => (value ? 1 : 0),
  fromStored: (stored) => (stored === 1 ? true : undefined),
};

/** A member that is stored unchanged. */
export function plain<const C extends SqlType>(type: C): Column<PlainValue<C>, PlainValue<C>, PlainValue<C>> {
  return { type };
}

/** One of some words. */
export function word<Word extends string>(): Column<string, Word, Word> {
  return { type: 'text' };
}

/** JSON text. */
export function json<T>(): Column<string, T, T> {
  return { type: 'text', toStored: jsonText, fromStored: (text) => JSON.parse(text) as T };
}

/** An optional member. */
export function optional<Stored extends SqlValue, In, Out>(column: Column<Stored, In, Out>) {
  return { ...column, isNullable: true } as Column<Stored | null, In | null | undefined, Out | undefined>;
}

/** An optional member that records show as null. */
export function nullable<Stored extends SqlValue, In, Out>(column: Column<Stored, In, Out>) {
  return { ...column, isNullable: true, showsNull: true } as Column<
    Stored | null,
    In | null | undefined,
    Out | null
  >;
}

/** A column that records do not show. */
export function hidden<const C extends PlainColumn | Column>(
  column: C,
): Column<StoredOf<C>, InOf<C>, undefined> {
  return { ...columnOf(column), isHidden: true } as Column<StoredOf<C>, InOf<C>, undefined>;
}
