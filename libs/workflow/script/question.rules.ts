import { type PeoplePolicy, peopleSchema, PROPOSERS, timesProblems } from '#lib/candidates';
import { checkValue, problemsOfSchemas, schemaProblem } from '#lib/json-schema';
import { type Duration, type JsonObject, jsonText, type Problem } from '#lib/kernel';
import type { JsonSchema } from '../run-values.js';

/** The JSON Schema of a `Value`. */
export type SchemaOf<Value> = JsonSchema & { readonly [of]?: Value };
declare const of: unique symbol;

/** A question to people. Every reviewer and operator may answer, unless the question names the people. */
export interface Question<Payload> extends PeoplePolicy {
  readonly title: string;
  readonly question?: string;
  /** The schema of the answer. An answer that does not fit it is refused. */
  readonly schema: SchemaOf<Payload>;
  /** After this time the question takes no answer. */
  readonly expireIn?: Duration;
  /** The answer after `expireIn`. Without it, the step fails with the kind `expired`. */
  readonly onExpiry?: { readonly payload: Payload };
}

const questionSchema: JsonObject = {
  type: 'object',
  properties: {
    ...(peopleSchema['properties'] as JsonObject),
    title: { type: 'string' },
    question: { type: 'string' },
    schema: { type: ['object', 'boolean'] },
    onExpiry: {
      type: 'object',
      properties: { payload: true },
      required: ['payload'],
      additionalProperties: false,
    },
  },
  required: ['title', 'schema'],
  additionalProperties: false,
};

/** A question in the form in which an event holds it, or its problem. */
type Checked<Payload> = { readonly question: Question<Payload> } | { readonly problem: Problem };

/** Checks the question of a script. It may be any value: people, times and texts often come from the input of the run. */
export function checkedQuestion<Payload>(given: Question<Payload>): Checked<Payload> {
  const stored = storedForm(given);
  if (stored === undefined) return { problem: { path: '', message: 'has no JSON text' } };
  const [misformed] = misfits('', questionSchema, stored);
  if (misformed) return { problem: misformed };
  const { schema, onExpiry, exclude = [] } = stored;
  const [problem] = [
    ...timesProblems('', stored),
    ...(exclude.includes(PROPOSERS) ? [PROPOSERS_EXCLUDED] : []),
    ...problemsOfSchemas([['/schema', schema]]),
  ];
  const misfit = problem ?? (onExpiry && misfits('/onExpiry/payload', schema, onExpiry.payload)[0]);
  return misfit ? { problem: misfit } : { question: stored };
}

const PROPOSERS_EXCLUDED: Problem = {
  path: '/exclude',
  message: 'names proposers, who are of rounds: name persons, or `creator`',
};

/** The value after its JSON text; `undefined` if it has none, such as a cycle. */
function storedForm<Value>(given: Value): (Value & JsonObject) | undefined {
  try {
    return JSON.parse(jsonText(given)) as Value & JsonObject;
  } catch {
    return undefined;
  }
}

function misfits(at: string, schema: JsonSchema, value: unknown): readonly Problem[] {
  const problems = checkValue(schema, value).errors.map(schemaProblem);
  return problems.map(({ path, message }) => ({ path: `${at}${path}`, message }));
}
