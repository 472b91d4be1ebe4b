import { isJsonObject } from '#lib/kernel';
import { matches } from './assertions.js';
import type { Evaluator, Subject } from './evaluator.js';
import type { Schema, SchemaObject } from './keywords.js';
import type { Located } from './references.js';
import { Seen } from './seen.js';

/** Applies one keyword; true if the subject fits it. A subject of a type that the keyword is not about fits. */
export type Applicator = (at: Located<SchemaObject>, subject: Subject, evaluator: Evaluator) => boolean;

/** `true` only if all hold. Each is evaluated, so that the errors of all are listed. */
function all<T>(values: Iterable<T>, holds: (value: T) => boolean): boolean {
  let result = true;
  for (const value of values) result = holds(value) && result;
  return result;
}

const asSchema = (value: unknown, { resource }: Located): Located => ({ schema: value as Schema, resource });
const asList = (value: unknown) => value as readonly unknown[];
const asMap = (value: unknown) => value as { readonly [name: string]: unknown };

/** For keywords about objects: applies to each pair that `pairs` takes from the keyword's value and the object. */
function onObject(
  keyword: string,
  apply: (at: Located<SchemaObject>, object: object, subject: Subject, evaluator: Evaluator) => boolean,
): Applicator {
  return (at, subject, evaluator) => {
    if (!isJsonObject(subject.value)) return true;
    evaluator.allowance.spend(sizeOf(at.schema[keyword]));
    return apply(at, subject.value, subject, evaluator);
  };
}

function onArray(
  apply: (
    at: Located<SchemaObject>,
    items: readonly unknown[],
    subject: Subject,
    evaluator: Evaluator,
  ) => boolean,
): Applicator {
  return (at, subject, evaluator) =>
    !Array.isArray(subject.value) || apply(at, subject.value as unknown[], subject, evaluator);
}

function sizeOf(value: unknown): number {
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
}

/** The indexes of the branches that the subject fits. If it fits none, the errors of the branch that was probably meant stay. */
function passingBranches(
  keyword: 'anyOf' | 'oneOf',
  at: Located<SchemaObject>,
  subject: Subject,
  evaluator: Evaluator,
): readonly number[] {
  const { errors } = evaluator;
  const starts = [errors.count];
  const passing = asList(at.schema[keyword]).flatMap((branch, index) => {
    const fits = evaluator.applyBranch(asSchema(branch, at), subject);
    starts.push(errors.count);
    return fits ? [index] : [];
  });
  if (passing.length > 0) errors.backTo(starts[0] ?? 0);
  else errors.keepMeant(subject.path, keyword, starts);
  return passing;
}

const anyOf: Applicator = (at, subject, evaluator) =>
  passingBranches('anyOf', at, subject, evaluator).length > 0;

const oneOf: Applicator = (at, subject, evaluator) => {
  const passing = passingBranches('oneOf', at, subject, evaluator);
  if (passing.length < 2) return passing.length === 1;
  return evaluator.fail(subject, 'oneOf', { passingSchemas: passing.slice(0, 2) });
};

/** Tests a schema that is only a condition: its errors do not belong to the subject. */
function silently(evaluator: Evaluator, test: () => boolean): boolean {
  const before = evaluator.errors.count;
  const fits = test();
  evaluator.errors.backTo(before);
  return fits;
}

const not: Applicator = (at, subject, evaluator) => {
  const apart = { ...subject, seen: new Seen() };
  const fits = silently(evaluator, () => evaluator.apply(asSchema(at.schema['not'], at), apart));
  return !fits || evaluator.fail(subject, 'not', {});
};

const ifThenElse: Applicator = (at, subject, evaluator) => {
  const holds = silently(evaluator, () => evaluator.applyBranch(asSchema(at.schema['if'], at), subject));
  const failingKeyword = holds ? 'then' : 'else';
  const branch = at.schema[failingKeyword];
  if (branch === undefined || evaluator.applyBranch(asSchema(branch, at), subject)) return true;
  return evaluator.fail(subject, 'if', { failingKeyword });
};

const dependent = (keyword: string): Applicator =>
  onObject(keyword, (at, object, subject, evaluator) =>
    all(Object.entries(asMap(at.schema[keyword])), ([property, needed]) => {
      if (!Object.hasOwn(object, property)) return true;
      if (!Array.isArray(needed)) return evaluator.apply(asSchema(needed, at), subject);
      evaluator.allowance.spend(needed.length);
      return all(
        needed as string[],
        (missingProperty) =>
          Object.hasOwn(object, missingProperty) ||
          evaluator.fail(subject, keyword, { property, missingProperty }),
      );
    }),
  );

const required: Applicator = onObject('required', ({ schema }, object, subject, evaluator) =>
  all(
    asList(schema['required']) as string[],
    (missingProperty) =>
      Object.hasOwn(object, missingProperty) || evaluator.fail(subject, 'required', { missingProperty }),
  ),
);

const propertyNames: Applicator = onObject('propertyNames', (at, object, subject, evaluator) =>
  all(Object.keys(object), (propertyName) => {
    const name = { ...subject, value: propertyName, seen: new Seen() };
    const fits = silently(evaluator, () => evaluator.apply(asSchema(at.schema['propertyNames'], at), name));
    return fits || evaluator.fail(subject, 'propertyNames', { propertyName });
  }),
);

const properties: Applicator = onObject('properties', (at, object, subject, evaluator) =>
  all(
    Object.entries(asMap(at.schema['properties'])),
    ([name, schema]) =>
      !Object.hasOwn(object, name) || evaluator.applyInside(asSchema(schema, at), subject, name),
  ),
);

const patternProperties: Applicator = onObject('patternProperties', (at, object, subject, evaluator) =>
  all(Object.entries(asMap(at.schema['patternProperties'])), ([pattern, schema]) =>
    all(
      Object.keys(object),
      (name) =>
        !matches(pattern, name, evaluator) || evaluator.applyInside(asSchema(schema, at), subject, name),
    ),
  ),
);

/** A keyword about the remaining members of an object: each one fits its schema, or is an error if the schema is `false`. */
function rest(
  keyword: string,
  param: string,
  isRest: (name: string, at: Located<SchemaObject>, subject: Subject, evaluator: Evaluator) => boolean,
): Applicator {
  return onObject(keyword, (at, object, subject, evaluator) => {
    const schema = at.schema[keyword];
    return all(Object.keys(object), (name) => {
      evaluator.allowance.spend(1);
      if (!isRest(name, at, subject, evaluator)) return true;
      if (schema === false)
        return evaluator.fail(subject, keyword, { [param]: name }, at.schema['properties']);
      return evaluator.applyInside(asSchema(schema, at), subject, name);
    });
  });
}

const additionalProperties = rest(
  'additionalProperties',
  'additionalProperty',
  (name, { schema }, _subject, evaluator) =>
    !Object.hasOwn(asMap(schema['properties'] ?? {}), name) &&
    !Object.keys(asMap(schema['patternProperties'] ?? {})).some((pattern) =>
      matches(pattern, name, evaluator),
    ),
);

const unevaluatedProperties = rest(
  'unevaluatedProperties',
  'unevaluatedProperty',
  (name, _at, { seen }) => !seen.has(name),
);

/** The schemas of the first items: `prefixItems`, or, in draft 7, a list in `items`. */
function tuple({ schema }: Located<SchemaObject>): readonly unknown[] {
  const listed = schema['prefixItems'] ?? schema['items'];
  return Array.isArray(listed) ? listed : [];
}

const firstItems: Applicator = onArray((at, items, subject, evaluator) =>
  all(tuple(at).slice(0, items.length).entries(), ([index, schema]) =>
    evaluator.applyInside(asSchema(schema, at), subject, index),
  ),
);

const itemsFrom = (
  keyword: string,
  isRest: (index: number, at: Located<SchemaObject>, subject: Subject) => boolean,
) =>
  onArray((at, items, subject, evaluator) =>
    all(items.keys(), (index) => {
      evaluator.allowance.spend(1);
      return (
        !isRest(index, at, subject) || evaluator.applyInside(asSchema(at.schema[keyword], at), subject, index)
      );
    }),
  );

const itemsAfterTuple = itemsFrom('items', (index, at) => index >= tuple(at).length);

const contains: Applicator = onArray((at, items, subject, evaluator) => {
  const found = items.filter((value, index) => {
    const item = { value, path: subject.path, seen: new Seen() };
    const fits = silently(evaluator, () => evaluator.apply(asSchema(at.schema['contains'], at), item));
    if (fits) subject.seen.add(index);
    return fits;
  });
  const { minContains = 1, maxContains = Infinity } = at.schema as { [limit: string]: number };
  if (found.length >= minContains && found.length <= maxContains) return true;
  return evaluator.fail(subject, 'contains', {
    minContains,
    ...(maxContains !== Infinity && { maxContains }),
  });
});

/** Keywords that apply subschemas, and those that may fail more than once. */
export const APPLICATORS: { readonly [keyword: string]: Applicator } = {
  $ref: ({ schema, resource }, subject, evaluator) =>
    evaluator.apply(evaluator.target(schema['$ref'] as string, resource), subject),
  required,
  dependentRequired: dependent('dependentRequired'),
  not,
  anyOf,
  oneOf,
  allOf: (at, subject, evaluator) =>
    all(asList(at.schema['allOf']), (schema) => evaluator.apply(asSchema(schema, at), subject)),
  if: ifThenElse,
  dependencies: dependent('dependencies'),
  dependentSchemas: dependent('dependentSchemas'),
  propertyNames,
  additionalProperties,
  properties,
  patternProperties,
  prefixItems: firstItems,
  items: (at, subject, evaluator) =>
    (Array.isArray(at.schema['items']) ? firstItems : itemsAfterTuple)(at, subject, evaluator),
  additionalItems: (at, subject, evaluator) =>
    !Array.isArray(at.schema['items']) ||
    itemsFrom('additionalItems', (index) => index >= tuple(at).length)(at, subject, evaluator),
  contains,
  unevaluatedItems: itemsFrom('unevaluatedItems', (index, _at, { seen }) => !seen.has(index)),
  unevaluatedProperties,
};
