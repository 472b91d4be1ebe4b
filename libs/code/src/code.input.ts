import type { JsonObject } from '#lib/kernel';
import { type ModelParameters, plainParametersSchema } from '#lib/machine';
import type { JsonSchema } from '#lib/workflow';

/** A way to end the run: `return { action: name, value }`. */
export interface Exit {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the value. Without one any value is taken. */
  readonly schema?: JsonObject;
  /** In place of a schema: JSON Schema of an object, which is the `arguments` of the result. A transition is such an exit. */
  readonly parameters?: JsonObject;
  readonly aliases?: readonly string[];
}

/** Of one iteration. */
export interface CodeLimits {
  /** One for about ten thousand loop turns or calls. Default 1,000. */
  readonly ticks?: number;
  /** Of the whole engine of a program. 16 MiB to 256 MiB; default 64 MiB. */
  readonly memoryBytes?: number;
  /** Default, and at most, 256 KiB. */
  readonly stackBytes?: number;
  /** Running time of one slice. Default 5,000. */
  readonly timeMs?: number;
}

export interface CodeInput {
  readonly instructions: string;
  readonly model: string;
  readonly backupModels?: readonly string[];
  readonly modelParameters?: Omit<ModelParameters, 'responseFormat'>;
  /** Ids of tools, which are functions of the program: identifiers. */
  readonly tools: readonly string[];
  readonly exits?: readonly Exit[];
  /** Iterations at most. Default 3. */
  readonly loop?: number;
  readonly limits?: CodeLimits;
  /** Tested before each further call of the model. */
  readonly budget?: { readonly maxTokens?: number; readonly maxUSD?: number };
}

const MIB = 1_048_576;
const identifier: JsonSchema = { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_]{0,49}$' };
const closed = (properties: JsonObject, required: readonly string[] = []): JsonSchema => ({
  type: 'object',
  properties,
  required: [...required],
  additionalProperties: false,
});
const whole = (minimum: number, maximum: number): JsonSchema => ({ type: 'integer', minimum, maximum });
const listOf = (items: JsonSchema, maxItems: number): JsonSchema => ({ type: 'array', items, maxItems });

const exit = closed(
  {
    name: identifier,
    description: { type: 'string', minLength: 1 },
    schema: { type: ['object', 'boolean'] },
    parameters: { type: 'object' },
    aliases: listOf(identifier, 20),
  },
  ['name', 'description'],
);

export const codeInputSchema = closed(
  {
    instructions: { type: 'string', maxLength: 1_000_000 },
    model: { type: 'string', minLength: 1 },
    backupModels: listOf({ type: 'string' }, 8),
    modelParameters: plainParametersSchema,
    tools: listOf(identifier, 100),
    exits: listOf(exit, 100),
    loop: whole(1, 100),
    limits: closed({
      ticks: whole(1, 1_000_000),
      memoryBytes: whole(16 * MIB, 256 * MIB),
      stackBytes: whole(16_384, 262_144),
      timeMs: whole(1, 60_000),
    }),
    budget: closed({
      maxTokens: { type: 'integer', minimum: 1 },
      maxUSD: { type: 'number', exclusiveMinimum: 0 },
    }),
  },
  ['instructions', 'model', 'tools'],
);
