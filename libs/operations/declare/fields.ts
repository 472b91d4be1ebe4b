import 'reflect-metadata';
import { IsArray, IsInt, IsObject, Matches, Max, Min, ValidateBy, ValidateIf } from 'class-validator';
import { checkShape, schemaProblem } from '#lib/json-schema';
import type { JsonObject, Problem, Rejection } from '#lib/kernel';
import type { View } from './answers.js';
import { isTime, NO_TIME } from './moment.js';

/** Ids that callers choose: of machines, gates, specialists and people. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,127}$/;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

const JSON_TYPES = ['object', 'array', 'string', 'number', 'boolean', 'null'];

export type Unknown = (id: string) => Rejection;
type Schema = Readonly<Record<string, unknown>>;

/** @param unknown the rejection of a path whose text is not such an id */
export function IsName(unknown?: Unknown): PropertyDecorator {
  const message =
    'must be 1 to 128 letters, digits, dots, underscores, @ or hyphens, the first a letter or digit';
  return Matches(NAME, { message, context: { unknown } });
}

/** A name, or `null` for none. */
export function IsNameOrNull(): PropertyDecorator {
  return Fits({ type: ['string', 'null'], pattern: NAME.source });
}

/** 1 to 200 characters of any script, without control characters, line ends and halves of surrogate pairs. */
const KEY = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]{1,200}$/u;

/** The caller's own name for one thing. */
export function IsUniqueKey(): PropertyDecorator {
  return Matches(KEY, { message: 'must be 1 to 200 printable characters' });
}

/** At most 100 names. */
export function IsNames(): PropertyDecorator {
  return Fits({ type: 'array', items: { type: 'string', pattern: NAME.source }, maxItems: 100 });
}

/** A UUID in lower case, as the engine makes them. @param unknown as for `IsName` */
export function IsId(unknown?: Unknown): PropertyDecorator {
  return Matches(UUID, { message: 'must be a UUID in lower case', context: { unknown } });
}

/** ISO 8601 as the contract writes times: a date, or a date with time and offset. */
export function IsTime(): PropertyDecorator {
  return ValidateBy({
    name: 'isTime',
    validator: {
      validate: isTime,
      defaultMessage: () => NO_TIME,
    },
  });
}

/** Any value that JSON has, `null` included. */
export function IsJson(): PropertyDecorator {
  return all(
    ValidateBy({
      name: 'isAnyJson',
      validator: { validate: (value) => value !== undefined, defaultMessage: () => 'must be given' },
    }),
    extend((schema) => ({ ...schema, type: JSON_TYPES })),
  );
}

const SHAPE = Symbol('Redial shape');

/** A value that fits a JSON Schema; the documents of all doors show the same schema. */
export function Fits(shape: JsonObject): PropertyDecorator {
  const validate = (value: unknown) => value !== undefined && checkShape(shape, value).count === 0;
  return all(
    ValidateBy({ name: 'fits', validator: { validate, defaultMessage: () => 'is missing' } }),
    Reflect.metadata(SHAPE, shape),
    extend(() => shape),
  );
}

/** The problems within the value of a member whose shape is declared. */
export function problemsWithin(target: object, name: string, value: unknown): readonly Problem[] {
  const shape = Reflect.getMetadata(SHAPE, target, name) as JsonObject | undefined;
  return shape && value !== undefined ? checkShape(shape, value).errors.map(schemaProblem) : [];
}

/** The member may be left out. Unlike class-validator's IsOptional, `null` is a value like any other, and checked. */
export function Optional(): PropertyDecorator {
  return ValidateIf((_object, value) => value !== undefined);
}

/** A whole number from `min`. */
export function IsWhole(min = 0, max = Number.MAX_SAFE_INTEGER): PropertyDecorator {
  return all(IsInt(), Min(min), Max(max));
}

/** A list of objects of this view. */
export function IsListOf(of: View): PropertyDecorator {
  return all(
    IsArray(),
    refers(of, (ref) => ({ type: 'array', items: ref })),
  );
}

/** An object of this view. */
export function IsA(of: View): PropertyDecorator {
  return all(
    IsObject(),
    refers(of, (ref) => ref),
  );
}

const PART = Symbol('Redial part');

/** An object with the fields of this class, which are checked as those of the input are. */
export function IsPart(of: new () => object): PropertyDecorator {
  return all(IsA(of), Reflect.metadata(PART, of));
}

/** The class of a member with `IsPart`. */
export function partOf(target: object, name: string): (new () => object) | undefined {
  return Reflect.getMetadata(PART, target, name) as (new () => object) | undefined;
}

/** `null` counts, too. For views: inputs leave a member out instead. */
export function OrNull(): PropertyDecorator {
  return extend((schema) => {
    if (!('type' in schema)) return { anyOf: [schema, { type: 'null' }] };
    const values = schema['enum'];
    return {
      ...schema,
      type: [schema['type'], 'null'],
      ...(Array.isArray(values) && { enum: [...(values as unknown[]), null] }),
    };
  });
}

/** The description of a member in the documents of all doors. */
export function Describe(
  description: string,
  more: { example?: unknown; default?: unknown } = {},
): PropertyDecorator {
  return extend((schema) => ({ ...schema, description, ...more }));
}

const REFERRED = Symbol('Redial views');

/** The views that the members of a view refer to. */
export function viewsReferredBy(view: View): readonly View[] {
  return (Reflect.getMetadata(REFERRED, view) as readonly View[] | undefined) ?? [];
}

/** Records that a view refers to others. */
export function referTo(view: object, others: readonly View[]): void {
  Reflect.defineMetadata(REFERRED, [...viewsReferredBy(view as View), ...others], view);
}

/** The reference to a view in schemas. */
export function refTo(view: View) {
  return { $ref: `#/components/schemas/${view.name}` };
}

/** @param schemaOf the schema of the member, from the reference to the view */
export function refers(of: View, schemaOf: (ref: Schema) => Schema): PropertyDecorator {
  return (target, key) => {
    referTo(target.constructor, [of]);
    extend(({ description }) => ({
      ...schemaOf(refTo(of)),
      ...(description !== undefined && { description }),
    }))(target, key);
  };
}

const EXTENSIONS = Symbol('Redial schema extensions');

/** Decorators of one member add up: each gets the schema of those below it. */
function extend(change: (schema: Schema) => Schema): PropertyDecorator {
  return (target, key) => {
    const before = (Reflect.getOwnMetadata(EXTENSIONS, target, key) as (typeof change)[] | undefined) ?? [];
    Reflect.defineMetadata(EXTENSIONS, [...before, change], target, key);
  };
}

/** The schema of a member with the changes of the decorators of this file. */
export function extendedSchema(view: View, name: string, schema: Schema): Schema {
  const changes = Reflect.getMetadata(EXTENSIONS, view.prototype as object, name) as
    | readonly ((schema: Schema) => Schema)[]
    | undefined;
  return (changes ?? []).reduce((extended, change) => change(extended), schema);
}

/** Several decorators as one, in their written order. */
export function all(...decorators: readonly PropertyDecorator[]): PropertyDecorator {
  return (target, key) => {
    for (const decorate of decorators.toReversed()) decorate(target, key);
  };
}
