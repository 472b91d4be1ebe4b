import { expect } from '@jest/globals';
import { type ActivityEvent, ALLOWANCE, grantedAllowance, type Outcome, type RunEnd } from '#lib/workflow';
import { functionCallRules, llmCallRules, type LlmCallRequested, toolCallRules } from '#lib/call-rules';
import { commandEventIds, StreamHistory } from '#lib/event-store';
import {
  derivedId,
  fold,
  isJsonObject,
  isRejection,
  type Json,
  type JsonObject,
  jsonText,
  type RecordedEvent,
  sha256,
} from '#lib/kernel';
import { sampleRoute } from '#lib/call-rules/testing';
import type { ToolFact, ToolPolicy } from '#lib/runs/tools/core';
import { RunHistory } from '#lib/workflow/testing';
import type { AgentInput } from '../agent/agent-definition.js';
import type { Directive } from '../agent/directive-definition.js';
import { agentHash } from '../agent/agents.decider.js';
import { inspectAgent } from '../agent/inspect-agent.rules.js';
import { toolIdsOf } from '../agent/named-parts.rules.js';
import { normalizeAgent } from '../agent/normalize-agent.rules.js';
import { type ConversationCommand, conversationDecider } from '../conversation/conversation.decider.js';
import { conversationView } from '../conversation/conversation-view.rules.js';
import { type Conversation, conversationFold } from '../conversation/conversation.rules.js';
import type { ConversationView } from '../conversation/conversations.views.js';
import type { ConversationEvent } from '../conversation/conversation.events.js';
import type { TurnResult } from '../turn/turn-result.js';
import { turn } from '../turn/turn.workflow.js';

const CONVERSATION_ID = '1f5902ac-2377-4c86-9d5e-1f2f6d2a0c11';
const idle = { preflight: () => undefined, perform: () => Promise.reject(new Error('not called')) };

/** The answers of models by purpose, and of functions by name. A list is answered in turn; an error is a failed call. */
export type ScriptedAnswers = { readonly [name: string]: Answer | readonly Answer[] };
type Answer = Json | Error;

const DEFAULTS: ScriptedAnswers = { extract: {}, route: {}, respond: { message: 'ok' } };

/**
 * A conversation with an agent; its turns are in memory. Every step of a turn is verified as in a replay, and every command is
 * rebuilt from its events.
 */
export function conversationWith(
  agent: Omit<AgentInput, 'agentName' | 'model'>,
  data: JsonObject = {},
  policies: { readonly [toolId: string]: ToolPolicy } = {},
): Story {
  return new Story({ agentName: 'clerk', model: 'gpt-4o-mini', ...agent }, data, policies);
}

export class Story {
  readonly #events: RecordedEvent<ConversationEvent>[] = [];
  #turns = 0;
  /** False: turns begin as in a release without allowances. */
  isGranted = true;
  /** Of the rules of the next turns. Default: the newest. */
  version: number | undefined;
  /** The history of the last turn. */
  history: RunHistory | undefined;

  constructor(
    input: AgentInput,
    initialData: JsonObject,
    private readonly policies: { readonly [toolId: string]: ToolPolicy } = {},
  ) {
    const { errors } = inspectAgent(input);
    if (errors.length > 0) throw new Error(jsonText(errors));
    const agent = normalizeAgent(input);
    const named = { agentName: agent.agentName, agentVersion: 1, agentHash: agentHash(agent) };
    const data = { conversationId: CONVERSATION_ID, ...named, agent, initialData };
    this.#decide({ type: 'StartConversation', data });
  }

  get #toolIds(): readonly string[] {
    return toolIdsOf(this.#state.started.agent);
  }

  get #routes() {
    const { model, backupModels = [] } = this.#state.started.agent;
    return [model, ...backupModels].map((name) => sampleRoute(name, { maxAttempts: 1 }));
  }

  /** With the history for views. */
  get conversation(): Conversation & Pick<ConversationView, 'history' | 'flowHistory'> {
    const { history, flowHistory } = conversationView(new StreamHistory(this.#events)) as ConversationView;
    return { ...this.#state, history, flowHistory };
  }

  get #state(): Conversation {
    return fold(conversationFold, this.#events) as Conversation;
  }

  get events(): readonly RecordedEvent<ConversationEvent>[] {
    return this.#events;
  }

  dispatch(directive: Directive): this {
    this.#decide({ type: 'DispatchDirective', data: { conversationId: CONVERSATION_ID, directive } });
    return this;
  }

  /** @throws Error if the turn fails, or the script has no answer */
  say(text: string, script: ScriptedAnswers = {}): TurnResult {
    const end = this.run(text, script);
    if (end.status !== 'completed') throw new Error(jsonText(end));
    return end.result as object as TurnResult;
  }

  /** The end of the run of a turn. */
  run(text: string, script: ScriptedAnswers = {}, context?: JsonObject): RunEnd {
    const turnId = derivedId(CONVERSATION_ID, `turn ${(this.#turns += 1)}`);
    const conversationId = CONVERSATION_ID;
    this.#decide({ type: 'RequestTurn', data: { conversationId, turnId, text } });
    const history = RunHistory.of(turn, {
      input: {
        conversationId,
        text,
        ...(context && { context }),
        model: 'gpt-4o-mini',
        tools: [...this.#toolIds],
      },
      facts: {
        model: { routes: this.#routes, seed: 'run' } as object as Json,
        tools: this.#toolIds.map((toolId) => tool(toolId, this.policies[toolId])) as object as Json,
        ...(this.isGranted && { [ALLOWANCE]: grantedAllowance() }),
      },
      activities: [
        { ...llmCallRules, ...idle },
        { ...functionCallRules, ...idle },
        { ...toolCallRules, ...idle },
      ],
      contextEvents: this.#events,
      runId: turnId,
      ...(this.version && { version: this.version }),
    });
    this.history = history;
    const rest = new Map(Object.entries({ ...DEFAULTS, ...script }));
    while (!history.end) {
      const [stepId] = [...history.open.keys()];
      if (stepId === undefined) throw new Error('The turn waits for nothing.');
      if (history.open.get(stepId)?.kind === 'await') {
        history.signal(stepId, nextAnswer(rest, 'approval') as Json);
        continue;
      }
      history.answer(stepId, outcomeOf(nextAnswer(rest, this.#nameOf(stepId))));
    }
    this.#decide({ type: 'CloseTurn', data: { conversationId, turnId, result: history.end } });
    return history.end;
  }

  /** The purposes and functions of the last turn's asks, in order. */
  get asked(): readonly string[] {
    const requests = this.history?.events.filter(({ type }) => type.endsWith('Requested')) ?? [];
    return requests.map(({ data }) => this.#nameOf((data as ActivityEvent['data']).stepId));
  }

  /** The newest question with this purpose in the last turn, as JSON text. */
  question(purpose: string): string {
    const requests = this.history?.events.filter(({ type }) => type === 'LlmCallRequested') ?? [];
    const found = (requests as readonly RecordedEvent<LlmCallRequested>[]).findLast(
      ({ data }) => data.labels?.['purpose'] === purpose,
    );
    return jsonText(found?.data.body ?? null);
  }

  #nameOf(stepId: string): string {
    const request = this.history?.events.find(
      ({ type, data }) => type.endsWith('Requested') && (data as ActivityEvent['data']).stepId === stepId,
    );
    const { labels, fnName, toolId } = (request?.data ?? {}) as LlmCallRequested['data'] & {
      fnName?: string;
      toolId?: string;
    };
    return String(labels?.['purpose'] ?? fnName ?? toolId);
  }

  #decide(command: ConversationCommand): void {
    const decided = conversationDecider.decide(command, fold(conversationDecider, this.#events));
    if (isRejection(decided)) throw new Error(decided.message);
    expectRebuilt(command, decided);
    const record = conversationDecider.record(command, decided);
    const occurredAt = new Date(Date.UTC(2026, 0, 1, 0, this.#events.length)).toISOString();
    const commandId = derivedId(CONVERSATION_ID, String(this.#events.length));
    const idOf = commandEventIds(command, { commandId, occurredAt });
    for (const [index, event] of decided.entries()) {
      const metadata = {
        schemaVersion: 1,
        occurredAt,
        correlationId: CONVERSATION_ID,
        causationId: commandId,
        commandId,
        actor: 'spec',
        command: record,
      };
      this.#events.push(this.#recorded(event, idOf(index), metadata));
    }
  }

  #recorded(
    event: ConversationEvent,
    eventId: string,
    metadata: RecordedEvent['metadata'],
  ): RecordedEvent<ConversationEvent> {
    const revision = this.#events.length;
    return {
      ...event,
      eventId,
      schemaVersion: 1,
      stream: `redial_conversation-${CONVERSATION_ID}`,
      revision,
      position: String(revision),
      occurredAt: metadata.occurredAt,
      metadata,
    };
  }
}

function nextAnswer(rest: Map<string, ScriptedAnswers[string]>, name: string): Answer {
  const answers = rest.get(name);
  if (answers === undefined) throw new Error(`The script has no answer to ${name}.`);
  if (!Array.isArray(answers)) return answers as Answer;
  const [first, ...others] = answers as readonly Answer[];
  if (first === undefined) throw new Error(`The script has no further answer to ${name}.`);
  rest.set(name, others);
  return first;
}

/** The outcome for models and functions: each reads its own members. */
function outcomeOf(answer: Answer): Outcome {
  if (answer instanceof Error) {
    const failure = { kind: 'timeout' as const, message: answer.message, retryable: false, durationMs: 1 };
    return { failed: { failure } };
  }
  const message = assistantMessage(answer);
  const finish = isJsonObject(answer) ? answer['finish_reason'] : undefined;
  const text = jsonText({ choices: [{ index: 0, message, finish_reason: finish ?? 'stop' }] });
  const body = { encoding: 'utf8', content: text, sha256: sha256(text) };
  const reply = { status: 200, requestHeaders: {}, responseHeaders: {}, body, durationMs: 1 };
  return { completed: { ...reply, result: resultOf(answer) } };
}

/** `{ calls: [['find', { order: 7 }]] }` is a reply with tool calls; `{ finish_reason, content, refusal? }` is such a reply. */
function assistantMessage(answer: Json): JsonObject {
  if (isJsonObject(answer) && answer['finish_reason'] !== undefined) {
    const { finish_reason: _, ...message } = answer;
    return { role: 'assistant', ...message };
  }
  const calls = isJsonObject(answer) ? (answer['calls'] as readonly (readonly [string, Json])[]) : undefined;
  if (!calls) return { role: 'assistant', content: typeof answer === 'string' ? answer : jsonText(answer) };
  const asked = calls.map(([name, given], index) => ({
    id: `p-${index + 1}`,
    type: 'function',
    function: { name, arguments: jsonText(given) },
  }));
  return { role: 'assistant', content: null, tool_calls: asked };
}

/** A function returns its result, and a tool an object with `success`: both in the member `result`. */
function resultOf(answer: Json): Json {
  return isJsonObject(answer) && answer['tool'] !== undefined
    ? { success: true, message: 'ok', data: answer['tool'] }
    : answer;
}

function tool(toolId: string, policy: ToolPolicy = {}): ToolFact {
  return {
    toolId,
    version: 1,
    description: `Does ${toolId}`,
    parameters: { type: 'object', properties: { order: { type: 'integer' } } },
    execution: { fnName: toolId },
    policy,
  };
}

/** The rebuilt command must equal the stored one: else its events have other ids, and a replay diverges. */
export function expectRebuilt(command: ConversationCommand, events: readonly ConversationEvent[]): void {
  const stored = JSON.parse(jsonText([conversationDecider.record(command, events), events])) as readonly [
    unknown,
    readonly ConversationEvent[],
  ];
  expect(idsOf(conversationDecider.rebuild(...stored))).toBe(idsOf(command));
}

function idsOf(command: ConversationCommand): string {
  return commandEventIds(command, { commandId: CONVERSATION_ID, occurredAt: '2026-01-01T00:00:00.000Z' })(0);
}
