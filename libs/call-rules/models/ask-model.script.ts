import { type Json, type JsonObject, present } from '#lib/kernel';
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
import { parseReplyObject } from '../parse-reply-json.js';
import { tokenBuckets } from '../token-buckets.js';
import { type UsageTotals, usageTotals } from '../usage-totals.js';
import { readTurn } from './assistant-turn.rules.js';
import { type ChatTool, chatTool, modelBody, type OfferedTool, type Question } from './model-body.rules.js';
import type { ModelsFact } from './forked-routes.rules.js';
import { type Answered, type AskedModel, askedModel } from './model-call.script.js';
import type { ModelRoute } from './model-route.js';

/** A question of a script to a model. */
export interface ModelQuestion {
  /** The id of a model that the workflow names in `uses`. */
  readonly model: string;
  /** Messages of the chat API. The `message` of an earlier reply and the results of its calls are recorded by reference. */
  readonly messages: readonly Json[];
  readonly modelParameters?: ModelParameters;
  /** Asked in this order if the model fails. The workflow names them in `uses`, too. */
  readonly backupModels?: readonly string[];
  /** Ids of the tools that the model may call. The workflow names them in `uses`, too. */
  readonly tools?: readonly string[];
  /** The schema of the answer, which is JSON, for providers that take a schema. */
  readonly format?: { readonly name: string; readonly schema: JsonObject };
  /** The most that this question may spend. It is checked before each further attempt. */
  readonly budget?: BudgetMax;
}

/** A model's answer. */
export interface ModelReply {
  /** `null` if the reply has only tool calls. */
  readonly content: string | null;
  /** The tool calls of the reply. The script makes them with `callTool`. */
  readonly toolCalls: readonly ModelToolCall[];
  readonly finishReason?: string;
  /** The usage of all attempts, with those of backups. */
  readonly usage: UsageTotals;
  /** The id of the model that answered: the one that was asked, or a backup. */
  readonly model: string;
  /** The message in the form in which later requests repeat it. */
  readonly message: JsonObject;
}

/** A tool call in a reply. */
export interface ModelToolCall {
  /** The provider's id: the `tool_call_id` of the message with the result. */
  readonly callId: string;
  readonly name: string;
  /** An object; if the model wrote something else, its text. */
  readonly arguments: Json;
}

/**
 * Asks a model, then its backups, as long as another call may help.
 * @throws StepFailed if there is no answer, with kind `budget` if it would cost too much
 */
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
      ...present({ limit, modelParameters: question.modelParameters }),
    };
    const answer = yield* askedModel(ask, (route, parameters) => ({
      body: modelBody(route, asked, parameters),
    }));
    if ('failed' in answer) throw new StepFailed({ ...answer.failed, retryable: false }, callId);
    return frozen(replyOf(answer.value, answer));
  };
  return helper(askModel, begin, question.model);
}

function replyOf({ reply, completion }: Answered, { routes, calls, spent }: AskedModel): ModelReply {
  const { calls: asked, ...turn } = readTurn(reply, completion);
  const toolCalls = asked.map(({ id: callId, name, argumentsText }) => ({
    callId,
    name,
    arguments: parseReplyObject(argumentsText) ?? argumentsText,
  }));
  const usage = usageTotals(calls.length, tokenBuckets(spent.usage), spent.costUSD);
  return { ...turn, toolCalls, usage, model: (routes[0] as ModelRoute).modelId };
}

function modelsIn(place: Place): ModelsFact {
  const { models } = place.start.data.facts as object as { readonly models?: ModelsFact | null };
  return models ?? { routes: [], seed: '' };
}

function routeIn(place: Place, model: string): ModelRoute {
  const route = modelsIn(place).routes.find(({ modelId }) => modelId === model);
  return used(place, route, 'asks the model', model);
}

function toolIn(place: Place, toolId: string): ChatTool {
  const { tools } = place.start.data.facts as object as { readonly tools?: readonly OfferedTool[] };
  const found = tools?.find((one) => one.toolId === toolId);
  return chatTool(used(place, found, 'offers the tool', toolId));
}
