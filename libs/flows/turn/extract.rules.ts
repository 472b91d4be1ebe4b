import { closedSchema } from '#lib/json-schema';
import { isJsonObject, type JsonObject, ownMember } from '#lib/kernel';
import { fieldsOf, propertiesOf } from '../agent/data.rules.js';
import { askObject } from './question.rules.js';
import type { Steps } from '#lib/workflow';
import type { TurnDraft } from './turn-draft.rules.js';
import { takeData } from './updates.rules.js';

/**
 * Copies every field of the schema that the user's message holds into the data. A value that does not fit is dropped alone; of values that
 * do not fit together none is taken.
 * @returns the names of the fields that were filled or changed
 */
export function* extract(turn: TurnDraft): Steps<readonly string[]> {
  const { schema } = turn.agent;
  const names = fieldsOf(schema);
  if (names.length === 0) return [];
  const text = [
    'Take from the last message of the user the values of these fields. Use null for every field that it does not give.',
    names.map((name) => `- ${name}${describedAs(propertiesOf(schema)[name])}`).join('\n'),
  ].join('\n');
  const found = yield* askObject(turn, {
    purpose: 'extract',
    schema: extractSchema(schema),
    section: { name: 'Extraction', text },
  });
  const given = names.map((name) => [name, ownMember(found, name) ?? null] as const);
  const fitting = given.filter(
    ([name, value]) => value !== null && turn.misfit({ [name]: value }) === undefined,
  );
  const update = Object.fromEntries(fitting);
  return (yield* takeData(turn, update, 'extraction')) ? Object.keys(update) : [];
}

/** All fields, each of them nullable. */
function extractSchema(schema: JsonObject): JsonObject {
  const { $defs, definitions } = schema;
  const properties = Object.entries(propertiesOf(schema)).map(([name, field]) => [
    name,
    { anyOf: [field ?? true, { type: 'null' }] },
  ]);
  return {
    ...closedSchema(Object.fromEntries(properties) as JsonObject, fieldsOf(schema)),
    ...($defs !== undefined && { $defs }),
    ...(definitions !== undefined && { definitions }),
  };
}

function describedAs(field: unknown): string {
  const description = isJsonObject(field) ? field['description'] : undefined;
  return typeof description === 'string' ? `: ${description}` : '';
}
