import type { BudgetMax } from '#lib/call-rules';
import { closedSchema as closed } from '#lib/json-schema';
import type { Json, JsonObject } from '#lib/kernel';
import { type ModelParameters, plainParametersSchema } from '#lib/call-rules';
import { runBudgetSchema } from '#lib/call-rules';
import type { JsonSchema } from '#lib/workflow';
import type { Component } from './components.rules.js';
import type { CodeHooks } from './hook.script.js';

/** A JSON Schema. Every value fits `true`, and none fits `false`. */
export type ValueSchema = JsonObject | boolean;

/** A way to end the run: `return { action: name, value }`. */
export interface Exit {
  readonly name: string;
  readonly description: string;
  /** The JSON Schema of the value. Without one, any value is taken. */
  readonly schema?: ValueSchema;
  /** In place of a schema: the JSON Schema of an object, which is the `arguments` of the result. A transition is such an exit. */
  readonly parameters?: JsonObject;
  readonly aliases?: readonly string[];
}

/** A tool as programs see it. */
export interface NamedTool {
  readonly toolId: string;
  /** The name of the tool's function. Default: the id. */
  readonly name?: string;
  readonly aliases?: readonly string[];
  /** Arguments that each call has. Programs neither see nor change them. */
  readonly inputs?: JsonObject;
}

export type ToolUse = string | NamedTool;

/** An object of programs, with properties and tools: `cart.total`, `await cart.add({ … })`. */
export interface CodeObject {
  readonly name: string;
  readonly description?: string;
  readonly properties: readonly ObjectProperty[];
  readonly tools?: readonly ToolUse[];
}

export interface ObjectProperty {
  readonly name: string;
  /** The value at the beginning of the run. Programs read it, and write it if it is writable. */
  readonly value: Json;
  readonly description?: string;
  /** Default: false. */
  readonly writable?: boolean;
  /** The JSON Schema of the value. */
  readonly schema?: ValueSchema;
}

/** The limits of one iteration. */
export interface CodeLimits {
  /** One tick is about ten thousand loop turns or calls. Default 1,000. */
  readonly ticks?: number;
  /** The memory of the whole engine of a program. */
  readonly memoryBytes?: number;
  /** Default, and at most, 256 KiB. */
  readonly stackBytes?: number;
  /** The running time of one slice. Default 5,000. */
  readonly timeMs?: number;
}

/** An earlier message or event of the conversation, or a summary of them. */
export interface Said {
  readonly role: 'user' | 'assistant' | 'event' | 'summary';
  readonly text: string;
}

/** The input of a run of code. */
export interface CodeInput {
  readonly instructions: string;
  readonly model: string;
  readonly backupModels?: readonly string[];
  readonly modelParameters?: Omit<ModelParameters, 'responseFormat'>;
  /** The functions of programs: ids of tools, or tools under other names. */
  readonly tools: readonly ToolUse[];
  readonly objects?: readonly CodeObject[];
  readonly exits?: readonly Exit[];
  /** True for a conversation: messages come by signal, the code yields components, and waits with the exit `listen`. */
  readonly chat?: boolean;
  /** The components of messages, besides `Message`. */
  readonly components?: readonly Component[];
  /** The conversation before this run. */
  readonly transcript?: readonly Said[];
  /**
   * Sources. The id of a source is its index, from 0. The model gets each source with its tag; code adds sources by `cite(source)`, and tools by the
   * member `sources` of their results. Tags in messages and in the value are taken out, and listed as citations.
   */
  readonly citations?: readonly Json[];
  readonly hooks?: CodeHooks;
  /** The most iterations; in a conversation, of each turn. Default 3. */
  readonly loop?: number;
  readonly limits?: CodeLimits;
  /** The most tokens of a request and its reply, by an estimate. Older messages are cut to fit. Default 128,000. */
  readonly contextTokens?: number;
  /** Checked before each further call of the model. */
  readonly budget?: BudgetMax;
}

const MIB = 1_048_576;
const identifier: JsonSchema = { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_]{0,49}$' };
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

const component = closed(
  {
    name: { type: 'string', pattern: '^[A-Z][A-Za-z0-9_]{0,49}$' },
    description: { type: 'string', minLength: 1 },
    aliases: listOf({ type: 'string', pattern: '^[A-Z][A-Za-z0-9_]{0,49}$' }, 20),
    props: { type: 'object' },
    leaf: { type: 'boolean' },
  },
  ['name', 'description'],
);

const said = { type: 'string', minLength: 1, maxLength: 100_000 };

/** The schema of the signal that brings a message to a conversation. */
export const messageSchema = closed({ text: said, role: { enum: ['user', 'event'] } }, ['text']);

const hook = closed({ fn: { type: 'string', minLength: 1, maxLength: 128 } }, ['fn']);
const hookNames = [
  'onTrace',
  'onBeforeExecution',
  'onBeforeTool',
  'onAfterTool',
  'onExit',
  'onIterationEnd',
] satisfies (keyof CodeHooks)[];

const tool: JsonSchema = {
  anyOf: [
    identifier,
    closed(
      {
        toolId: { type: 'string' },
        name: identifier,
        aliases: listOf(identifier, 20),
        inputs: { type: 'object' },
      },
      ['toolId'],
    ),
  ],
};
const property = closed(
  {
    name: identifier,
    value: {},
    description: { type: 'string' },
    writable: { type: 'boolean' },
    schema: { type: ['object', 'boolean'] },
  },
  ['name', 'value'],
);
const object = closed(
  {
    name: identifier,
    description: { type: 'string' },
    properties: listOf(property, 100),
    tools: listOf(tool, 100),
  },
  ['name', 'properties'],
);

export const codeInputSchema = closed(
  {
    instructions: { type: 'string', maxLength: 1_000_000 },
    model: { type: 'string', minLength: 1 },
    backupModels: listOf({ type: 'string' }, 8),
    modelParameters: plainParametersSchema,
    tools: listOf(tool, 100),
    objects: listOf(object, 100),
    exits: listOf(exit, 100),
    chat: { type: 'boolean' },
    components: listOf(component, 100),
    transcript: listOf(
      closed({ role: { enum: ['user', 'assistant', 'event', 'summary'] }, text: said }, ['role', 'text']),
      250,
    ),
    citations: listOf({}, 1_000),
    hooks: closed(Object.fromEntries(hookNames.map((name) => [name, hook]))),
    loop: whole(1, 100),
    limits: closed({
      ticks: whole(1, 1_000_000),
      memoryBytes: whole(16 * MIB, 256 * MIB),
      stackBytes: whole(16_384, 262_144),
      timeMs: whole(1, 60_000),
    }),
    contextTokens: whole(4_000, 10_000_000),
    budget: runBudgetSchema,
  },
  ['instructions', 'model', 'tools'],
);
