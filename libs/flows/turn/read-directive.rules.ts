import { checkShape, closedSchema } from '#lib/json-schema';
import { escapePointerToken, isJsonObject, type Json, type JsonObject, ownMember } from '#lib/kernel';
import { directiveMembers, directiveSchema } from '../agent/agent-schema.js';
import type { Directive } from '../agent/directive-definition.js';
import type { TurnDraft } from './turn-draft.rules.js';

const { reason: _, ...membersOf02 } = directiveMembers;
/** The schema of version 1, whose directives have no `reason`. */
const firstSchema = closedSchema(membersOf02);

/**
 * Reads the directive in the answer of a function or a tool; null is an empty directive. Unknown members are recorded by name and
 * left out; version 1 refuses the whole answer. An answer of another shape is refused with the reason.
 * @param source of the answer
 */
export function readDirective(
  turn: TurnDraft,
  source: string,
  value: Json | undefined,
): { readonly directive: Directive } | { readonly refused: string } {
  if (value === undefined || value === null) return { directive: {} };
  if (!isJsonObject(value)) return { refused: 'it is no object' };
  if (turn.version === 1) return shaped(firstSchema, value);
  const unknown: string[] = [];
  const read = shaped(directiveSchema, knownMembers(directiveSchema, value, '', unknown));
  if ('directive' in read && unknown.length > 0) {
    const members = unknown.length === 1 ? 'no member of a directive is' : 'no members of a directive are';
    turn.refuse(source, `${members} ${unknown.join(', ')}: the rest is applied`);
  }
  return read;
}

function shaped(schema: JsonObject, value: JsonObject) {
  const [error] = checkShape(schema, value).errors;
  if (error) return { refused: `${error.path || '/'} breaks the rule ${error.keyword}` };
  return { directive: value as Directive };
}

/** The known members of an object by its closed schema, and of the objects in it. */
function knownMembers(schema: JsonObject, value: JsonObject, path: string, unknown: string[]): JsonObject {
  const members = schema['properties'] as JsonObject;
  const known = Object.entries(value).flatMap(([name, member]) => {
    const at = `${path}/${escapePointerToken(name)}`;
    const form = ownMember(members, name);
    if (form === undefined) unknown.push(at);
    return form === undefined ? [] : [[name, knownIn(form, member, at, unknown)] as const];
  });
  return Object.fromEntries(known);
}

function knownIn(form: Json, member: Json | undefined, at: string, unknown: string[]): Json | undefined {
  const closed = formsOf(form).find((one) => one['properties'] !== undefined);
  return closed && isJsonObject(member) ? knownMembers(closed, member, at, unknown) : member;
}

function formsOf(form: Json): readonly JsonObject[] {
  if (!isJsonObject(form)) return [];
  const { anyOf } = form;
  return Array.isArray(anyOf) ? (anyOf as readonly Json[]).filter(isJsonObject) : [form];
}
