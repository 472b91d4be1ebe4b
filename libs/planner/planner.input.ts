import type { BudgetMax } from '#lib/call-rules';
import { closedSchema as closed, problemsOfSchemas } from '#lib/json-schema';
import { type JsonObject, jsonText, type Problem } from '#lib/kernel';
import { type ModelParameters, plainParametersSchema } from '#lib/call-rules';
import { type ModelRoute, runBudgetSchema } from '#lib/call-rules';
import type { JsonSchema } from '#lib/workflow';

/** An exit of the loop that executes nothing: its arguments are the answer. */
export interface InlineExit {
  readonly name: string;
  readonly description: string;
  /** The JSON Schema of the arguments. */
  readonly parameters: JsonObject;
}

/** The input of a run of the planner. */
export interface PlannerInput {
  readonly systemPrompt: string;
  readonly userPrompt: string;
  readonly model: string;
  /** Models that are asked in this order if the provider of the model before fails. */
  readonly backupModels?: readonly string[];
  readonly modelParameters?: Omit<ModelParameters, 'responseFormat'>;
  /** Ids of tools that the model may call. */
  readonly tools: readonly string[];
  /** The exits of the loop: tools by id, which end the loop when they succeed, and exits that execute nothing. */
  readonly exits?: readonly (string | InlineExit)[];
  /** The most calls of the model. Default 5; with 0 the model is not called. */
  readonly maxRounds?: number;
  /** Checked before each further call of the model. */
  readonly budget?: BudgetMax;
  /** The most simultaneous calls of neighbouring tools that allow it. Default 1. */
  readonly concurrency?: number;
}

/** The fact `model` of a run. */
export interface ModelFact {
  /** The model, then its backups. */
  readonly routes: readonly ModelRoute[];
  /** Spreads the waits of runs. */
  readonly seed: string;
}

const text: JsonSchema = { type: 'string' };
const toolId: JsonSchema = { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' };

const inlineExit = closed(
  {
    name: toolId,
    description: text,
    parameters: { type: 'object', properties: { type: { const: 'object' } }, required: ['type'] },
  },
  ['name', 'description', 'parameters'],
);

export const plannerInputSchema = closed(
  {
    systemPrompt: text,
    userPrompt: text,
    model: { type: 'string', minLength: 1 },
    backupModels: { type: 'array', items: text, maxItems: 8 },
    modelParameters: plainParametersSchema,
    tools: { type: 'array', items: toolId, maxItems: 128 },
    exits: { type: 'array', items: { anyOf: [toolId, inlineExit] }, maxItems: 128 },
    maxRounds: { type: 'integer', minimum: 0, maximum: 1_000 },
    budget: runBudgetSchema,
    concurrency: { type: 'integer', minimum: 1, maximum: 32 },
  },
  ['systemPrompt', 'userPrompt', 'model', 'tools'],
);

/** The problems of an input that fits the schema: exits whose arguments could not be checked, or that have the name of a tool. */
export function exitProblems({ exits = [], tools }: PlannerInput): readonly Problem[] {
  const names = exits.map((exit) => (typeof exit === 'string' ? exit : exit.name));
  const taken = exits.flatMap((exit, index): readonly Problem[] => {
    if (typeof exit === 'string' || !(tools.includes(exit.name) || names.indexOf(exit.name) < index))
      return [];
    return [
      { path: `/exits/${index}/name`, message: `${jsonText(exit.name)} is a tool, or an exit before it` },
    ];
  });
  const ofSchemas = exits.map((exit, index) => {
    return [`/exits/${index}/parameters`, typeof exit === 'string' ? undefined : exit.parameters] as const;
  });
  return [...taken, ...problemsOfSchemas(ofSchemas)];
}
