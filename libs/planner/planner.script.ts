import {
  addSpent,
  type AskedIn,
  askedModel,
  type AskedCall,
  type AssistantTurn,
  type ChatTool,
  isSpent,
  modelBody,
  type ModelRoute,
  NOTHING_SPENT,
  readTurn,
  spentMembers,
  type ToolResult,
} from '#lib/call-rules';
import type { Json, JsonObject } from '#lib/kernel';
import {
  beginToolCall,
  callAt,
  changedArguments,
  resultOf,
  resultText,
  shownResult,
  type ToolCallState,
  toolCalled,
  type ToolFact,
} from '#lib/runs/tools/core';
import { branched, type Given, here, RunFails, type Script, type Steps, UnitAllowance } from '#lib/workflow';
import type { InlineExit, ModelFact, PlannerInput } from './planner.input.js';

type StopReason =
  | 'assistant-stop'
  | 'no-tool-calls'
  | 'max-rounds'
  | 'llm-error'
  | 'budget'
  | 'exit'
  | 'cancelled';

interface RoundCall {
  readonly asked: AskedCall;
  readonly isExit: boolean;
  readonly isInline: boolean;
  /** The current state of the call. */
  call: ToolCallState;
}

interface ExecutedCall {
  readonly round: number;
  readonly callId: string;
  readonly toolId: string;
  readonly arguments: JsonObject;
  /** Present if a person changed the arguments. */
  readonly argumentsChanged?: true;
  readonly result: ToolResult;
}

const MAX_ROUNDS = 5;

/** A run of the planner: rounds of one call of the model, and the calls of tools in its reply. */
export class Planning implements Script<Json> {
  readonly #input: PlannerInput;
  readonly #model: ModelFact;
  readonly #tools: readonly ToolFact[];
  /** The model in use, then its backups. */
  #routes: readonly ModelRoute[];
  /** All messages, in order. */
  readonly #messages: Json[];
  /** The current round, from 1; 0 before the first. */
  #round = 0;
  /** The calls of the round, in the order of the model. */
  #calls: readonly RoundCall[] = [];
  readonly #executed: ExecutedCall[] = [];
  #spent = NOTHING_SPENT;

  /** @param unlisted gives the tool for a name that was not offered, in a loop in memory, whose caller handles every name */
  constructor(
    private readonly given: Given,
    private readonly unlisted?: (toolId: string) => ToolFact,
  ) {
    const { input, facts } = given.start.data;
    this.#input = input as object as PlannerInput;
    const { model, tools } = facts as object as { model: ModelFact; tools: readonly ToolFact[] };
    this.#model = model;
    this.#routes = model.routes;
    this.#tools = tools;
    this.#messages = [
      { role: 'system', content: this.#input.systemPrompt },
      { role: 'user', content: this.#input.userPrompt },
    ];
  }

  /** The result with all executed calls and the whole transcript. */
  whole(recorded: Json): Json {
    const { rounds, ...rest } = recorded as JsonObject;
    const executedCalls = this.#executed as object as Json;
    return { rounds: rounds ?? 0, executedCalls, ...rest, messages: [...this.#messages] };
  }

  *[Symbol.iterator](): Steps<Json> {
    (yield* here()).endWhenCancelled(() => this.#end('cancelled'));
    const { maxRounds = MAX_ROUNDS, budget } = this.#input;
    while (this.#round < maxRounds) {
      if (this.#round > 0 && isSpent(budget, this.#spent)) return this.#end('budget');
      this.#round++;
      const { turn, reply } = yield* this.#asked();
      const { content, finishReason } = turn;
      this.#messages.push(turn.message);
      if (turn.calls.length === 0)
        return this.#end(finishReason === 'stop' ? 'assistant-stop' : 'no-tool-calls', content);
      const exit = yield* this.#called(turn, reply);
      if (exit) return this.#end('exit', content, { exit: exit.toolId, arguments: exit.arguments });
      this.#close();
    }
    return this.#end('max-rounds');
  }

  *#asked(): Steps<{ readonly turn: AssistantTurn; readonly reply: string }> {
    const round = this.#round;
    const ask = {
      callId: `round-${round}`,
      routes: this.#routes,
      seed: this.#model.seed,
      needsTools: true,
      modelParameters: this.#input.modelParameters,
    };
    const question = { messages: this.#messages, tools: offeredTools(this.#input, this.#tools) };
    const asked = yield* askedModel(ask, (route, parameters) => ({
      labels: { round },
      body: modelBody(route, question, parameters),
    }));
    this.#routes = asked.routes;
    this.#spent = addSpent(this.#spent, asked.spent);
    if ('failed' in asked)
      throw new RunFails({ kind: 'llm-error', message: asked.failed.message }, this.#end('llm-error'));
    const { reply, completion } = asked.value;
    return { turn: readTurn(reply, completion), reply: reply.stepId };
  }

  /** @returns the call of the exit that was taken */
  *#called({ calls }: AssistantTurn, reply: string): Steps<ToolCallState | undefined> {
    const unit = new UnitAllowance('reply', this.given.start.data.facts);
    const { runId } = yield* here();
    this.#calls = calls.map((call, index) => this.#begun(runId, call, { reply, call: index + 1 }, unit));
    const { concurrency: atMost = 1 } = this.#input;
    for (const neighbours of besideEachOther(this.#calls)) {
      const [first] = neighbours;
      if (first?.isInline && first.call.phase.at === 'calling') return first.call;
      const scripts = neighbours.map((one) => ({ script: made(one) }));
      yield* branched({ path: `round-${this.#round}`, scripts, until: 'all', atMost });
      if (first?.isExit && resultOf(first.call)?.success) return first.call;
    }
    return undefined;
  }

  #begun(runId: string, asked: AskedCall, argumentsFrom: AskedIn, unit: UnitAllowance): RoundCall {
    const { name: toolId, argumentsText } = asked;
    const { version } = this.given.start.data;
    const exit = this.#input.exits?.find((one) => (typeof one === 'string' ? one : one.name) === toolId);
    const isInline = typeof exit === 'object';
    const isOffered = exit !== undefined || this.#input.tools.includes(toolId);
    const known = isInline
      ? inlineFact(exit)
      : (this.#tools.find((one) => isOffered && one.toolId === toolId) ?? this.unlisted?.(toolId));
    const at = callAt({ runId, version }, `round-${this.#round}.call-${argumentsFrom.call}`);
    const call = beginToolCall({ ...at, toolId, argumentsText, argumentsFrom }, known, unit);
    return { asked, isExit: exit !== undefined, isInline, call };
  }

  /** Ends the round: adds the results of the finished calls to the messages and to the list of executed calls. */
  #close(): void {
    for (const { asked, call } of this.#calls) {
      const result = resultOf(call);
      if (!result) continue;
      const { callId, toolId, tool, arguments: given } = call;
      const changed = changedArguments(call);
      const content = resultText(tool ? shownResult(result, tool) : result, changed);
      this.#messages.push({ role: 'tool', tool_call_id: asked.id, content });
      const told = changed && { argumentsChanged: true as const };
      this.#executed.push({ round: this.#round, callId, toolId, arguments: given, ...told, result });
    }
    this.#calls = [];
  }

  /** The result without the parts that the history holds already: see `whole`. */
  #end(stopReason: StopReason, summary: string | null = null, exit?: JsonObject): JsonObject {
    this.#close();
    return { rounds: this.#round, summary, stopReason, ...exit, ...spentMembers(this.#spent) };
  }
}

function* made(one: RoundCall): Steps<void> {
  one.call = yield* toolCalled(one.call);
}

/** The calls in order: neighbours that allow it run at once, and any other call alone. */
function besideEachOther(calls: readonly RoundCall[]): readonly (readonly RoundCall[])[] {
  const groups: RoundCall[][] = [];
  let isOpen = false;
  for (const one of calls) {
    const isBeside = !one.isExit && one.call.tool?.policy.concurrencySafe === true;
    if (isBeside && isOpen) groups.at(-1)?.push(one);
    else groups.push([one]);
    isOpen = isBeside;
  }
  return groups;
}

/** Tools, then exits. A tool that is also an exit is offered once. */
function offeredTools(input: PlannerInput, tools: readonly ToolFact[]): readonly ChatTool[] {
  const exits = input.exits ?? [];
  const names = exits.map((exit) => (typeof exit === 'string' ? exit : exit.name));
  const ids = [...input.tools.filter((toolId) => !names.includes(toolId)), ...exits];
  const offered = ids.flatMap((one) => {
    if (typeof one !== 'string') return [one];
    const tool = tools.find(({ toolId }) => toolId === one);
    return tool ? [{ name: one, description: tool.description, parameters: tool.parameters }] : [];
  });
  return offered
    .filter(({ name }, index) => offered.findIndex((one) => one.name === name) === index)
    .map((one) => ({ type: 'function', function: { ...one } }));
}

/** The tool form of an exit: its arguments are checked like those of a tool, and it is never called. */
function inlineFact({ name, description, parameters }: InlineExit): ToolFact {
  return { toolId: name, version: 0, description, parameters, execution: { fnName: name }, policy: {} };
}
