import { type JsonObject, jsonText, ownMember, type Problem } from '#lib/kernel';
import { Ajv, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { schemaProblem } from './schema-problem.js';

/** A schema that can check arguments, or why it cannot. Paths are pointers into the schema. */
export type CompiledParameters =
  { readonly validate: ValidateFunction } | { readonly problems: readonly Problem[] };

const OPTIONS: Options = { allErrors: true, strict: false, ownProperties: true, logger: false };
const DRAFT_2020 = 'https://json-schema.org/draft/2020-12/schema';

/** The dialects that can be named in `$schema`, each with a validator of schemas written in it. */
const dialects = {
  [DRAFT_2020]: { Validator: Ajv2020, schemas: withFormats(new Ajv2020(OPTIONS)) },
  'http://json-schema.org/draft-07/schema': { Validator: Ajv, schemas: withFormats(new Ajv(OPTIONS)) },
};
type Dialect = (typeof dialects)[keyof typeof dialects];

/** By JSON text, in the order they were made: it takes milliseconds, and a machine read from a log is made of new objects. */
const compiled = new Map<string, CompiledParameters>();
const MOST_COMPILED = 1000;

/**
 * Compiles a transition's `parameters`, or gives what was made for an equal schema before.
 * Each schema gets a validator of its own: the `$id`s in one can neither clash with those in another nor be seen from it,
 * so what a schema means does not depend on what was compiled before.
 */
export function compileParameters(schema: JsonObject): CompiledParameters {
  const text = textOf(schema);
  if (text === undefined) return compile(schema);
  const known = compiled.get(text);
  if (known) return known;
  const result = compile(JSON.parse(text) as JsonObject);
  compiled.set(text, result);
  const [oldest] = compiled.keys();
  if (compiled.size > MOST_COMPILED && oldest !== undefined) compiled.delete(oldest);
  return result;
}

/** Nothing for what is nested without end. */
function textOf(schema: JsonObject): string | undefined {
  try {
    return jsonText(schema);
  } catch {
    return undefined;
  }
}

function compile(schema: JsonObject): CompiledParameters {
  const dialect = dialectOf(schema);
  if (!dialect) return unusable('/$schema', `must be one of ${Object.keys(dialects).join(', ')}`);
  if (Object.hasOwn(schema, '$async'))
    return unusable('/$async', 'cannot be used: arguments are checked at once');
  try {
    const problems = metaProblems(dialect, schema);
    if (problems.length > 0) return { problems };
    const options = { ...OPTIONS, meta: false, validateSchema: false };
    return { validate: withFormats(new dialect.Validator(options)).compile(schema) };
  } catch (error) {
    return unusable('', `does not compile: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function dialectOf(schema: JsonObject): Dialect | undefined {
  const named = ownMember(schema, '$schema') ?? DRAFT_2020;
  return typeof named === 'string' ? ownMember<Dialect>(dialects, named.replace(/#$/, '')) : undefined;
}

/** One problem a place: where a keyword allows several forms, the first says what is wrong, the others repeat it. */
function metaProblems({ schemas }: Dialect, schema: JsonObject): readonly Problem[] {
  void schemas.validateSchema(schema);
  const byPath = new Map<string, Problem>();
  for (const error of schemas.errors ?? []) {
    const problem = schemaProblem(error);
    if (!byPath.has(problem.path)) byPath.set(problem.path, problem);
  }
  return [...byPath.values()];
}

function unusable(path: string, message: string): CompiledParameters {
  return { problems: [{ path, message }] };
}

function withFormats<A extends Ajv | Ajv2020>(validator: A): A {
  formats.default(validator);
  return validator;
}
