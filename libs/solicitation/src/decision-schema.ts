import { type JsonObject, jsonText } from '#lib/kernel';
import { argumentsSchema, type TransitionDefinition } from '#lib/machine';

/** The JSON Schema of decision JSON for these transitions. What an answer says is checked all the same. */
export function decisionSchema(transitions: { readonly [name: string]: TransitionDefinition }): JsonObject {
  const targets = new Set(Object.values(transitions).map(({ target }) => target));
  const [args, ...others] = Object.values(transitions).flatMap(({ parameters }) =>
    parameters ? [ofArguments(parameters)] : [],
  );
  return {
    type: 'object',
    properties: {
      transitionName: { enum: Object.keys(transitions) },
      toState: { enum: [...targets] },
      reasoning: { type: 'string' },
      ...(args && { metaJson: others.length === 0 ? args : { anyOf: [args, ...others] } }),
    },
    required: ['transitionName', 'toState', 'reasoning'],
    additionalProperties: false,
  };
}

/** References are relative to their own schema: a schema with references is not repeated inside another. */
function ofArguments(parameters: JsonObject): JsonObject {
  const schema = argumentsSchema(parameters);
  return jsonText(schema).includes('"$ref"') ? { type: 'object' } : schema;
}
