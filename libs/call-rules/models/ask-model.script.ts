import type { Json, JsonObject } from '#lib/kernel';
import {
  frozen,
  helper,
  here,
  type Named,
  type Place,
  type Script,
  StepFailed,
  type Steps,
  used,
} from '#lib/workflow';
import type { BudgetMax } from '../budget-check.rules.js';
import type { ModelParameters } from '../model-parameters.js';
import { type AssistantTurn, readTurn } from './assistant-turn.rules.js';
import { type ChatTool, modelBody, type Question } from './model-body.rules.js';
import { askedModel } from './model-call.script.js';
import type { ModelRoute } from './model-route.js';
import type { Spent } from './spent.js';

/** A question of a script to a model. */
export interface ModelQuestion {
  /** The id of a model that the workflow names in `uses`. */
  readonly model: string;
  /** Of the chat API. The `message` of an earlier reply and the results of its calls are recorded by reference. */
  readonly messages: readonly Json[];
  readonly modelParameters?: ModelParameters;
  /** Asked in this order when the model fails; in `uses`, too. */
  readonly backupModels?: readonly string[];
  /** Ids of the tools that the model may ask for; in `uses`, too. */
  readonly tools?: readonly string[];
  /** The answer is JSON of this schema, where the provider takes a schema. */
  readonly format?: { readonly name: string; readonly schema: JsonObject };
  /** The most that this question may spend: tested before each further attempt. */
  readonly budget?: BudgetMax;
}

/** A model's answer: `calls` are the tools that it asks for, which `callTool` calls. */
export interface ModelReply extends AssistantTurn {
  /** Over all attempts. */
  readonly spent: Spent;
}

/** Asks a model, again and by its backups as long as that may help. @throws StepFailed without an answer, kind `budget` if it would cost too much */
export function askModel(question: ModelQuestion, { id }: Named = {}): Script<ModelReply> {
  const begin = function* (): Steps<ModelReply> {
    const place = yield* here();
    const { model, messages, backupModels = [], tools = [], format, budget: limit } = question;
    const routes = [model, ...backupModels].map((one) => routeIn(place, one));
    const offered = tools.map((toolId) => toolIn(place, toolId));
    const asked: Question = { messages, tools: offered, ...(format && { format }) };
    const callId = place.name('model', id);
    const { seed } = modelsIn(place);
    const ask = {
      callId,
      routes,
      seed,
      ...(offered.length > 0 && { needsTools: true }),
      ...(limit && { limit }),
    };
    const answer = yield* askedModel(ask, (route) => ({
      body: modelBody(route, asked, question.modelParameters),
    }));
    if ('failed' in answer) throw new StepFailed({ ...answer.failed, retryable: false }, callId);
    const { reply, completion } = answer.value;
    return frozen({ ...readTurn(reply, completion), spent: answer.spent });
  };
  return helper(askModel, begin, question.model);
}

interface ModelsFact {
  readonly routes: readonly ModelRoute[];
  readonly seed: string;
}

function modelsIn(place: Place): ModelsFact {
  const { models } = place.start.data.facts as object as { readonly models?: ModelsFact | null };
  return models ?? { routes: [], seed: '' };
}

function routeIn(place: Place, model: string): ModelRoute {
  const route = modelsIn(place).routes.find(({ modelId }) => modelId === model);
  return used(place, route, 'asks the model', model);
}

interface OfferedTool {
  readonly toolId: string;
  readonly description: string;
  readonly parameters: JsonObject;
}

function toolIn(place: Place, toolId: string): ChatTool {
  const { tools } = place.start.data.facts as object as { readonly tools?: readonly OfferedTool[] };
  const found = tools?.find((one) => one.toolId === toolId);
  const { description, parameters } = used(place, found, 'offers the tool', toolId);
  return { type: 'function', function: { name: toolId, description, parameters } };
}
