import type { ModelFallback, Spent, UsageTotals } from '#lib/call-rules';
import { isJsonObject, type Json, type JsonObject } from '#lib/kernel';
import type { ToolFact } from '#lib/runs/tools/core';
import {
  ALLOWANCE,
  type Given,
  here,
  RunFails,
  scripted,
  type ScriptState,
  type Seen,
  type Steps,
  type Workflow,
} from '#lib/workflow';
import { turnContext } from '../conversation/turn-context.rules.js';
import { TurnAsks, type TurnModel } from './ask.script.js';
import type { TurnConversation, TurnGiven } from './turn-given.js';
import { turnScript } from './turn.rules.js';
import { TurnWork } from './turn-work.rules.js';

/** The input of a turn's run: the message, and the models. */
export interface TurnInput {
  readonly conversationId: string;
  readonly text: string;
  /** Added to the context of the conversation in this turn. */
  readonly context?: JsonObject;
  readonly model: string;
  readonly backupModels?: readonly string[];
  /** Ids of the agent's tools. */
  readonly tools: readonly string[];
}

const text = { type: 'string' };

const turnInputSchema: JsonObject = {
  type: 'object',
  properties: {
    conversationId: text,
    text: text,
    context: { type: 'object' },
    model: text,
    backupModels: { type: 'array', items: text },
    tools: { type: 'array', items: text },
  },
  required: ['conversationId', 'text', 'model', 'tools'],
  additionalProperties: false,
};

/** Runs the script of the turn. Asks that are open at the same time continue once all are answered. */
function* turned(run: Given): Steps<Json> {
  const { data } = run.start;
  const given = givenIn(run);
  const place = yield* here();
  const work = new TurnWork(data.facts);
  const model = data.facts['model'] as object as TurnModel;
  const asks = new TurnAsks(data.version, model, given?.agent.modelParameters, work.allowance);
  const cost = () => costOf(place.opened, asks.spent);
  place.endWhenCancelled(() => {
    throw new RunFails(cancelled, cost());
  });
  if (!given) throw new RunFails(noConversation, cost());
  const outcome = yield* turnScript(given, work, asks);
  if ('failure' in outcome) throw new RunFails(outcome.failure, cost());
  return { ...outcome.result, ...cost() } as object as Json;
}

/** `undefined` if the run has no conversation. */
function givenIn({ start: { data, runId }, context }: Given): TurnGiven | undefined {
  const { conversationId, text, context: override } = data.input as object as TurnInput;
  const conversation = isJsonObject(context) ? (context as object as TurnConversation) : undefined;
  const tools = data.facts['tools'] as object as readonly ToolFact[];
  const used = { ...conversation?.context, ...override };
  const { version } = data;
  return conversation && { ...conversation, conversationId, runId, version, text, tools, context: used };
}

const noConversation = {
  kind: 'no-conversation',
  message: 'A turn belongs to a conversation: send a message to one.',
};

/** The failure of a cancelled turn, whatever its aborted calls report. */
const cancelled = { kind: 'cancelled', message: 'The turn was cancelled.' };

/** @param opened the events that opened steps: those of model calls count */
function costOf(opened: readonly Seen[], spent: Spent): JsonObject {
  const llmCalls = opened
    .filter(({ type }) => type === 'LlmCallRequested')
    .map(({ data }) => (data as { stepId: string }).stepId);
  return { llmCalls, usage: usageOf(llmCalls.length, spent) as object as Json };
}

function usageOf(calls: number, { usage, costUSD }: Spent): UsageTotals {
  const { promptTokens = 0, cachedTokens = 0, completionTokens = 0, reasoningTokens = 0 } = usage;
  return {
    calls,
    inputTokens: promptTokens,
    cachedInputTokens: cachedTokens,
    outputTokens: completionTokens,
    reasoningTokens,
    ...(costUSD !== undefined && { costUSD }),
  };
}

const rules = scripted<ModelFallback>(
  { input: turnInputSchema, facts: ['model', 'tools', ALLOWANCE], contextOf: turnContext },
  turned,
);

/**
 * One turn of a conversation: a message of the user, and the steps to the agent's answer.
 *
 * | version | since | what |
 * | --- | --- | --- |
 * | 1 | 0.2.0 | an answer with an unknown member is refused whole; calls are named by their places; the model sees whole results |
 * | 2 | 0.3.0 | unknown members are named, and the rest is applied; calls are named by UUIDs; the model sees data alone, and what a person changed; tools get the conversation; an answer that is cut off fails with the reason; expressions read a member `constructor` |
 * | 3 | 0.3.0 | the router judges the `when` of flows, and whether a completed flow begins again; instructions say `apply only when`, and are recorded with the title of their flow |
 * | 4 | 0.3.1 | a signal for both phases fires `once` or after its cooldown in one turn, too; data of a directive outlast what its position forgets, and those that completed a flow do not count again; an empty text is not extracted, and a value that is there already does not keep the router away; a directive leads to no step that lacks what it requires, one of a flow that ends to the steps of that flow, and one without a flow to none; a pending directive that is refused or says nothing does not keep the router away; after a question that no model answered the next one begins with the same models; compaction leaves the recent messages of a short history |
 */
export const turn: Workflow<ScriptState, ModelFallback> = {
  name: 'turn',
  internal: true,
  versions: { 1: rules, 2: rules, 3: rules, 4: rules },
};
