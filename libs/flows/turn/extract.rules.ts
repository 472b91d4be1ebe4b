import { closedSchema } from '#lib/json-schema';
import { isJsonObject, type Json, type JsonObject, ownMember, present, sameJson } from '#lib/kernel';
import { fieldsOf, isPresent, propertiesOf } from '../agent/data.rules.js';
import { askObject } from './question.rules.js';
import type { Steps } from '#lib/workflow';
import type { TurnDraft } from './turn-draft.rules.js';
import { takeData } from './updates.rules.js';

/** Names of fields. */
interface Extracted {
  /** The fields with a value in the message. */
  readonly given: readonly string[];
  /** The given fields whose values are new; up to version 3 all given fields. */
  readonly filled: readonly string[];
}

/**
 * Copies every field of the schema that the user's message holds into the data. A value that does not fit is dropped alone; of values that
 * do not fit together none is taken. From version 4 on an empty text is no value, as everywhere in the data.
 */
export function* extract(turn: TurnDraft): Steps<Extracted> {
  const { schema } = turn.agent;
  const names = fieldsOf(schema);
  if (names.length === 0) return NOTHING;
  const text = [
    'Take from the last message of the user the values of these fields. Use null for every field that it does not give.',
    names.map((name) => `- ${name}${describedAs(propertiesOf(schema)[name])}`).join('\n'),
  ].join('\n');
  const found = yield* askObject(turn, {
    purpose: 'extract',
    schema: extractSchema(schema),
    section: { name: 'Extraction', text },
  });
  const values = names.map((name) => [name, ownMember(found, name) ?? null] as const);
  const fitting = values.filter(
    ([name, value]) => isGiven(turn, value) && turn.misfit({ [name]: value }) === undefined,
  );
  const update = Object.fromEntries(fitting);
  const before = turn.data;
  if (!(yield* takeData(turn, update, 'extraction'))) return NOTHING;
  const given = Object.keys(update);
  const filled = given.filter((name) => turn.version < 4 || !isSame(name, before, turn.data));
  return { given, filled };
}

const NOTHING: Extracted = { given: [], filled: [] };

function isGiven({ version }: TurnDraft, value: Json): boolean {
  return version < 4 ? value !== null : isPresent(value);
}

function isSame(name: string, one: JsonObject, other: JsonObject): boolean {
  return sameJson(ownMember(one, name) ?? null, ownMember(other, name) ?? null);
}

/** All fields of the schema, each nullable. */
function extractSchema(schema: JsonObject): JsonObject {
  const { $defs, definitions } = schema;
  const properties = Object.entries(propertiesOf(schema)).map(([name, field]) => [
    name,
    { anyOf: [field ?? true, { type: 'null' }] },
  ]);
  return {
    ...closedSchema(Object.fromEntries(properties) as JsonObject, fieldsOf(schema)),
    ...present({ $defs, definitions }),
  };
}

function describedAs(field: unknown): string {
  const description = isJsonObject(field) ? field['description'] : undefined;
  return typeof description === 'string' ? `: ${description}` : '';
}
