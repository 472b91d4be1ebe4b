import { checkValue, errorsText } from '#lib/json-schema';
import { isJsonObject, type Json, type JsonObject, jsonText } from '#lib/kernel';
import type { CodeError } from './code-errors.rules.js';
import type { CodeInput, Exit, ValueSchema } from './code.input.js';

/** The exit that a program's returned value names. */
type Action =
  | { readonly kind: 'exit'; readonly name: string; readonly value: Json }
  | { readonly kind: 'think'; readonly reason: string; readonly variables?: Json }
  | {
      readonly kind: 'error';
      readonly code: CodeError;
      readonly exit: string | null;
      readonly message: string;
    };

export const THINK = 'think';

/** The exits of runs that declare none: each takes a text. */
const DEFAULT_EXITS: readonly Exit[] = [
  {
    name: 'done',
    description: 'The work is done: the value is its result',
    aliases: ['success'],
    schema: { type: 'string' },
  },
  {
    name: 'error',
    description: 'The work cannot be done: the value is the reason',
    schema: { type: 'string' },
  },
];

/** The default exit of version 1: a value without `success` is not checked. */
const UNCHECKED_EXIT: Exit = {
  name: 'done',
  description: 'The work is done, or cannot be done',
  aliases: ['success', 'error'],
  schema: {
    if: { type: 'object', required: ['success'] },
    then: {
      anyOf: [
        { type: 'object', properties: { success: { const: true } }, required: ['success', 'result'] },
        {
          type: 'object',
          properties: { success: { const: false }, error: { type: 'string' } },
          required: ['success', 'error'],
        },
      ],
    },
  },
};

/** The exit that every conversation has. */
export const LISTEN: Exit = { name: 'listen', description: 'Wait for the next message of the user' };

/** @param version of the rules of the run */
export function exitsOf(
  { exits = [], chat = false }: Pick<CodeInput, 'exits' | 'chat'>,
  version: number,
): readonly Exit[] {
  if (chat) return [LISTEN, ...exits];
  if (exits.length > 0) return exits;
  return version > 1 ? DEFAULT_EXITS : [UNCHECKED_EXIT];
}

/** The exit with the returned name, else with that alias, in upper or lower case. Its value is the first candidate that fits its schema. */
export function actionOf(returned: Json | undefined, exits: readonly Exit[]): Action {
  const { action, ...payload } = isJsonObject(returned) ? returned : {};
  if (typeof action !== 'string' || action.trim() === '')
    return {
      kind: 'error',
      code: 'no-action',
      exit: null,
      message: `The code must return an object with an action: ${names(exits)}.`,
    };
  const wanted = action.trim().toLowerCase();
  const exit =
    exits.find(({ name }) => name.toLowerCase() === wanted) ??
    exits.find(({ aliases = [] }) => aliases.some((alias) => alias.toLowerCase() === wanted));
  if (exit) return valueOf(exit, payload);
  if (wanted === THINK) return thinking(payload);
  const message = `There is no action ${jsonText(action)}: ${names(exits)}.`;
  return { kind: 'error', code: 'unknown-action', exit: action, message };
}

function names(exits: readonly Exit[]): string {
  return `valid actions are ${[...exits.map(({ name }) => name), THINK].join(', ')}`;
}

function thinking({ reason, ...variables }: JsonObject): Action {
  const why = typeof reason === 'string' ? reason : 'The code asked to think.';
  return { kind: 'think', reason: why, ...(Object.keys(variables).length > 0 && { variables }) };
}

/** The schema of the value. */
export function schemaOf({ schema, parameters }: Exit): ValueSchema | undefined {
  return parameters ?? schema;
}

function valueOf(exit: Exit, payload: JsonObject): Action {
  const { name, parameters } = exit;
  const schema = schemaOf(exit);
  const candidates = candidatesOf(payload, parameters ? {} : null);
  const fitting = candidates.find((candidate) => schema === undefined || fits(schema, candidate));
  if (fitting !== undefined) return { kind: 'exit', name, value: fitting };
  const { errors } = checkValue(schema ?? {}, candidates[0] ?? null);
  return {
    kind: 'error',
    code: 'invalid-value',
    exit: name,
    message: `The value does not fit the exit ${name}: ${errorsText(errors)}`,
  };
}

/** The candidates for the value: `value`, `result`, then the other members, or `empty`. A `result` beside `success` is one of the other members. */
function candidatesOf(payload: JsonObject, empty: Json): readonly Json[] {
  const { value, result, success } = payload;
  const direct = success === undefined ? [value, result] : [value];
  const rest = Object.keys(payload).length > 0 ? payload : empty;
  return [...direct.filter((one): one is Json => one !== undefined), rest];
}

function fits(schema: ValueSchema, value: Json): boolean {
  return checkValue(schema, value).count === 0;
}
