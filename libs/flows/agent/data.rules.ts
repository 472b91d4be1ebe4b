import { checkValue, schemaProblem } from '#lib/json-schema';
import {
  type Allowance,
  escapePointerToken,
  isJsonObject,
  type JsonObject,
  jsonText,
  ownMember,
  type Problem,
} from '#lib/kernel';

/** The names of the data in a schema. */
export function fieldsOf(schema: JsonObject): readonly string[] {
  return Object.keys(propertiesOf(schema));
}

export function propertiesOf({ properties }: JsonObject): JsonObject {
  return isJsonObject(properties) ? properties : {};
}

/** The problems of members of the data: unknown names, or values that break the schema. Members may be absent. */
export function dataProblems(
  schema: JsonObject,
  update: JsonObject,
  allowance?: Allowance,
): readonly Problem[] {
  const known = propertiesOf(schema);
  const unknown = Object.keys(update).filter((name) => ownMember(known, name) === undefined);
  const fitting = Object.fromEntries(Object.entries(update).filter(([name]) => !unknown.includes(name)));
  return [
    ...unknown.map((name) => ({
      path: `/${escapePointerToken(name)}`,
      message: `is unknown: the schema has no property ${jsonText(name)}`,
    })),
    ...checkValue(partialOf(schema), fitting, allowance).errors.map(schemaProblem),
  ];
}

/** The schema without `required`, one object for each schema: `checkValue` inspects an object once. */
const partials = new WeakMap<JsonObject, JsonObject>();

function partialOf(schema: JsonObject): JsonObject {
  const known = partials.get(schema);
  if (known) return known;
  const { required: _, ...partial } = schema;
  partials.set(schema, partial);
  return partial;
}

/** Whether all of these data are present. */
export function hasAll(data: JsonObject, names: readonly string[]): boolean {
  return names.every((name) => isPresent(ownMember(data, name)));
}

export function missingIn(data: JsonObject, names: readonly string[]): readonly string[] {
  return names.filter((name) => !isPresent(ownMember(data, name)));
}

/** An empty text is no value. */
export function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}
