import type { ActivityEvent } from '#lib/workflow';
import { type Event, isJsonObject, type Json, type JsonObject } from '#lib/kernel';
import { addSpent, type ModelFallback, type ModelRoute, NOTHING_SPENT, type Spent } from '#lib/call-rules';
import type { ToolFact } from '#lib/runs/tools/core';
import {
  ALLOWANCE,
  NotDerived,
  type Rules,
  type RuntimeEvent,
  type Seen,
  type Started,
  type Step,
  type Workflow,
} from '#lib/workflow';
import { turnContext } from '../conversation/turn-context.rules.js';
import { answerOf, askSteps, type AskState, beginAsk, evolveAsk } from './ask-state.rules.js';
import { type Answer, runScript } from './script.rules.js';
import type { TurnConversation, TurnGiven } from './turn-given.js';
import type { TurnUsage } from './turn-result.js';
import { type TurnOutcome, turnScript } from './turn.rules.js';
import { NOTHING_DONE, TurnWork, type WorkDone } from './turn-work.rules.js';

/** The input of a run of a turn: what was said, and which model is asked. */
export interface TurnInput {
  readonly conversationId: string;
  readonly text: string;
  /** In this turn, over the context of the conversation. */
  readonly context?: JsonObject;
  readonly model: string;
  readonly backupModels?: readonly string[];
  /** Ids of the tools that the agent names. */
  readonly tools: readonly string[];
}

interface TurnState {
  readonly given: TurnGiven | undefined;
  /** Of the start. */
  readonly facts: { readonly [name: string]: Json };
  readonly work: WorkDone;
  /** Why the run is left as it is recorded. */
  readonly notDerived?: NotDerived;
  readonly answers: ReadonlyMap<string, Answer>;
  readonly open: readonly AskState[];
  /** The model in use, then its backups. */
  readonly routes: readonly ModelRoute[];
  readonly seed: string;
  readonly spent: Spent;
  /** Step ids of the calls of models. */
  readonly llmCalls: readonly string[];
  readonly outcome?: TurnOutcome;
}

const text = { type: 'string' };

export const turnInputSchema: JsonObject = {
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

/** @param context of the conversation; absent if a run was started for none */
function beginTurn({ data, runId }: Started, context: Json = null): TurnState {
  const { conversationId, text, context: override } = data.input as object as TurnInput;
  const { facts } = data;
  const { routes, seed } = facts['model'] as object as Pick<TurnState, 'routes' | 'seed'>;
  const conversation = isJsonObject(context) ? (context as object as TurnConversation) : undefined;
  const tools = facts['tools'] as object as readonly ToolFact[];
  const used = { ...conversation?.context, ...override };
  const { version } = data;
  const given = conversation && {
    ...conversation,
    conversationId,
    runId,
    version,
    text,
    tools,
    context: used,
  };
  const begun = { given, facts, work: NOTHING_DONE, answers: new Map(), open: [], routes, seed };
  return advanced({ ...begun, spent: NOTHING_SPENT, llmCalls: [] });
}

function evolveTurn(state: TurnState, event: Seen<Event | RuntimeEvent | ActivityEvent>): TurnState {
  if (state.outcome ?? state.notDerived) return state;
  if (event.type === 'RunCancelRequested') return { ...state, outcome: { failure: cancelled } };
  const { stepId } = event.data as { stepId?: string };
  const llmCalls =
    event.type === 'LlmCallRequested' && stepId !== undefined ? [...state.llmCalls, stepId] : state.llmCalls;
  const open = state.open.map((one) => evolveAsk(one, event));
  const answered = open.find((one) => answerOf(one) !== undefined);
  const next = { ...state, open, llmCalls };
  return answered ? advanced(taken(next, answered)) : next;
}

function nextOfTurn(state: TurnState): readonly Step<ModelFallback>[] {
  const { given, outcome, open, notDerived } = state;
  if (notDerived) throw notDerived;
  if (outcome) return [endOf(state, outcome)];
  return open.flatMap((one) => askSteps(one, given?.agent.modelParameters) as readonly Step<ModelFallback>[]);
}

/** Takes an answer; later calls begin with the model that gave it. */
function taken(state: TurnState, answered: AskState): TurnState {
  const answers = new Map(state.answers).set(answered.ask.id, answerOf(answered) as Answer);
  if (!('call' in answered)) return { ...state, answers };
  const { routes, spent } = answered.call;
  return { ...state, answers, routes, spent: addSpent(state.spent, spent) };
}

/** Runs the script with all answers, and opens what it asks now. */
function advanced(state: TurnState): TurnState {
  const { given, facts, answers, routes, seed } = state;
  if (!given) return { ...state, outcome: { failure: noConversation } };
  const work = new TurnWork(facts, state.work);
  try {
    const progress = runScript(() => turnScript(given, work), answers);
    if ('result' in progress) return { ...state, work: work.done, open: [], outcome: progress.result };
    const known = new Map(state.open.map((one) => [one.ask.id, one]));
    const open = progress.open.map((ask) => known.get(ask.id) ?? beginAsk(ask, routes, seed, work.allowance));
    return { ...state, work: work.done, open };
  } catch (error) {
    if (error instanceof NotDerived) return { ...state, open: [], notDerived: error };
    throw error;
  }
}

const noConversation = {
  kind: 'no-conversation',
  message: 'A turn belongs to a conversation: send a message to one.',
};

/** For that alone, whatever its calls that were aborted say. */
const cancelled = { kind: 'cancelled', message: 'The turn was cancelled.' };

function endOf({ llmCalls, spent }: TurnState, outcome: TurnOutcome): Step<ModelFallback> {
  const cost = { llmCalls, usage: usageOf(llmCalls.length, spent) };
  if ('failure' in outcome) return { do: 'fail', failure: outcome.failure, result: cost as object as Json };
  return { do: 'end', result: { ...outcome.result, ...cost } as object as Json };
}

function usageOf(calls: number, { usage, costUSD }: Spent): TurnUsage {
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

const rules: Rules<TurnState> = {
  input: turnInputSchema,
  facts: ['model', 'tools', ALLOWANCE],
  contextOf: turnContext,
  initialState: beginTurn,
  evolve: evolveTurn,
  next: nextOfTurn,
};

/**
 * One turn of a conversation: a message of the user, and what the agent does about it.
 *
 * | version | since | what |
 * | --- | --- | --- |
 * | 1 | 0.2.0 | an answer with an unknown member is refused whole; calls are named by their places; the model sees whole results |
 * | 2 | 0.3.0 | unknown members are named, and the rest is applied; calls are named by UUIDs; the model sees data alone, and what a person changed; tools get the conversation; an answer that is cut off fails with the reason |
 */
export const turn: Workflow<TurnState> = { name: 'turn', internal: true, versions: { 1: rules, 2: rules } };
