import type { JsonObject } from '#lib/kernel';
import { compileParameters } from './compile-parameters.js';

/** One way in which arguments do not fit. It is stored in events, so it holds nothing of the validator's prose. */
export type ArgumentError = {
  /** A JSON pointer into the arguments. */
  readonly path: string;
  /** The JSON Schema keyword that failed; `parameters` when the schema itself cannot be used. */
  readonly keyword: string;
  /** What the keyword asked for. */
  readonly params: JsonObject;
};

const UNUSABLE: readonly ArgumentError[] = [{ path: '', keyword: 'parameters', params: {} }];

/**
 * Checks a tool call's arguments against a transition's `parameters`. All errors, in the schema's order; none when they fit.
 * Never throws: with a schema that cannot be used no arguments fit, and the one error says so.
 */
export function checkArguments(parameters: JsonObject, args: JsonObject): readonly ArgumentError[] {
  const schema = compileParameters(parameters);
  if (!('validate' in schema)) return UNUSABLE;
  try {
    if (schema.validate(args)) return [];
    return (schema.validate.errors ?? []).map(({ instancePath, keyword, params }) => ({
      path: instancePath,
      keyword,
      params: params as JsonObject,
    }));
  } catch {
    // A schema that refers to itself without end compiles, and overflows the stack here.
    return UNUSABLE;
  }
}
