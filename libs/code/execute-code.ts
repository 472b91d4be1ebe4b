import { Sandbox, sandboxActivity, toolResultOf } from '#lib/activities';
import { recordedCalls, type SandboxMemory, sandboxRules, type ToolRequest } from '#lib/call-rules';
import { checkValue } from '#lib/json-schema';
import { type Json, type JsonObject, jsonText, present, type Problem, RedialError } from '#lib/kernel';
import type { ToolFact } from '#lib/runs/tools/core';
import {
  type ActivityEvent,
  ALLOWANCE,
  answeredBy,
  type CallStep,
  grantedAllowance,
  type LlmClient,
  type OnceCalls,
  type OnceInput,
  type Outcome,
  outcomeOf,
  routeInMemory,
  runOnce,
  scriptOf,
  type Seen,
} from '#lib/workflow';
import { callablesOf } from './callables.rules.js';
import {
  type CodeInput,
  codeInputSchema,
  type Exit,
  type NamedTool,
  type ObjectProperty,
} from './code.input.js';
import { CodeResult } from './code-result.js';
import { code } from './code.workflow.js';
import { inputProblems } from './input-problems.rules.js';
import { declarations } from './prompt.js';
import { ThinkSignal } from './think-signal.js';

/** A function of the caller as programs see it. An error that it throws is thrown in the program. */
export interface CodeTool extends Omit<NamedTool, 'toolId' | 'name'> {
  readonly name: string;
  readonly description: string;
  /** The JSON Schema of the input. Default: any object. */
  readonly parameters?: JsonObject;
  /** The JSON Schema of the output. An output that does not fit it is refused. */
  readonly result?: JsonObject;
  /** Calls may run at the same time as their neighbours. */
  readonly concurrencySafe?: boolean;
  /** @param call `callId` is unique within the execution */
  handler(
    this: void,
    input: JsonObject,
    call: { readonly callId: string; readonly signal: AbortSignal },
  ): unknown;
}

/** The options of `executeCode`. */
export interface CodeExecution extends Pick<
  CodeInput,
  'instructions' | 'model' | 'modelParameters' | 'loop' | 'limits' | 'budget' | 'contextTokens' | 'citations'
> {
  readonly llm: LlmClient;
  readonly tools?: readonly CodeTool[];
  readonly objects?: readonly {
    readonly name: string;
    readonly description?: string;
    readonly properties: readonly ObjectProperty[];
    readonly tools?: readonly CodeTool[];
  }[];
  readonly exits?: readonly Exit[];
  /** Ends the execution as `aborted`, with the current call and program. */
  readonly signal?: AbortSignal;
}

/** The arguments of an execution of code cannot be used. */
export class InvalidCodeExecution extends RedialError {}

type Named = readonly [toolId: string, tool: CodeTool];

/** The threads of the sandbox end after they have been idle for a while. */
const sandbox = sandboxActivity(new Sandbox());

/**
 * The loop of the workflow `code` without a log: the same rules and the same sandbox, in memory, with a model and tools of the caller.
 * @returns the result, even if the model failed or the loop took no exit
 * @throws InvalidCodeExecution before the model is asked
 */
export async function executeCode(execution: CodeExecution): Promise<CodeResult> {
  const { tools, objects, llm, exits = [], signal, ...given } = execution;
  const named = namedOf({ tools, objects });
  const input = { ...given, exits, ...usesOf({ tools, objects }) };
  refuse(given, input);
  const calls = new Calls(llm, new Map(named));
  const { state, end } = await runOnce(code, begunWith(input, named), calls, signal);
  return new CodeResult(scriptOf(state).state, end, exits, calls.memory);
}

/** The TypeScript declarations of an execution's tools and objects, which its programs see. */
export function getTypings(given: Pick<CodeExecution, 'tools' | 'objects'>): string {
  const facts = namedOf(given).map(([toolId, tool]) => factOf(toolId, tool));
  const uses = usesOf(given);
  return declarations(callablesOf(uses, facts), uses.objects);
}

type Used = { readonly [Name in 'tools' | 'objects']?: CodeExecution[Name] | undefined };

function namedOf({ tools = [], objects = [] }: Used): readonly Named[] {
  const methods = objects.flatMap(({ name, tools: own = [] }) =>
    own.map((tool) => [`${name}.${tool.name}`, tool] as const),
  );
  return [...tools.map((tool) => [tool.name, tool] as const), ...methods];
}

function usesOf({ tools = [], objects = [] }: Used): Required<Pick<CodeInput, 'tools' | 'objects'>> {
  return {
    tools: tools.map((tool) => useOf(tool.name, tool)),
    objects: objects.map(({ tools: methods = [], ...object }) => ({
      ...object,
      tools: methods.map((tool) => useOf(`${object.name}.${tool.name}`, tool)),
    })),
  };
}

function useOf(toolId: string, { name, aliases, inputs }: CodeTool): NamedTool {
  return { toolId, name, ...present({ aliases, inputs }) };
}

/** Members of the workflow's input that need a log or its registered functions. */
const OF_A_RUN = ['hooks', 'chat', 'components', 'transcript', 'backupModels'] as const;

function refuse(given: object, input: CodeInput): void {
  const [ofRun] = OF_A_RUN.filter((name) => Object.hasOwn(given, name));
  if (ofRun !== undefined) {
    const why = `${ofRun} is for runs of the workflow \`code\`, and executeCode has none`;
    throw new InvalidCodeExecution('code was not executed', why, `Leave ${ofRun} out, or start a run`);
  }
  const { errors } = checkValue(codeInputSchema, input);
  const problems: readonly Problem[] =
    errors.length > 0
      ? errors.map(({ path, keyword, params }) => ({ path, message: `${keyword} ${jsonText(params)}` }))
      : inputProblems(input);
  if (problems.length === 0) return;
  const listed = problems.map(({ path, message }) => `${path}: ${message}`).join('; ');
  throw new InvalidCodeExecution('code was not executed', listed, 'Correct the members that are listed');
}

function begunWith(input: CodeInput, named: readonly Named[]): OnceInput {
  const facts = {
    model: { routes: [routeInMemory(input.model)], seed: crypto.randomUUID() },
    tools: named.map(([toolId, tool]) => factOf(toolId, tool)),
    [ALLOWANCE]: grantedAllowance(),
  };
  return { input: input as object as Json, facts: facts as object as OnceInput['facts'] };
}

function factOf(toolId: string, { description, parameters, result, concurrencySafe }: CodeTool): ToolFact {
  return {
    toolId,
    version: 1,
    description,
    parameters: parameters ?? { type: 'object' },
    ...(result && { result }),
    execution: { fnName: toolId },
    policy: { concurrencySafe: concurrencySafe === true },
  };
}

class Calls implements OnceCalls {
  readonly activities = recordedCalls;
  memory = sandboxRules.memory?.begin({ input: null, facts: null, context: null }) as SandboxMemory;

  constructor(
    private readonly llm: LlmClient,
    private readonly tools: ReadonlyMap<string, CodeTool>,
  ) {}

  heard({ type, data }: Seen): void {
    const event = { type, data } as ActivityEvent;
    this.memory = sandboxRules.memory?.evolve?.(this.memory, event) ?? this.memory;
  }

  perform(call: CallStep, signal: AbortSignal): Promise<Outcome> {
    if (call.activity === 'llm') return answeredBy(this.llm, call, signal);
    if (call.activity === 'tool')
      return outcomeOf(async () => ({ result: toolResultOf(await this.#made(call, signal)) }));
    const request = { ...(call.input as JsonObject), stepId: call.id };
    return sandbox.perform(request, { signal, stepId: call.id } as never, this.memory);
  }

  async #made({ input }: CallStep, signal: AbortSignal): Promise<unknown> {
    const { callId, toolId, arguments: given } = input as object as ToolRequest;
    try {
      return await this.tools.get(toolId)?.handler(given, { callId, signal });
    } catch (error) {
      if (!(error instanceof ThinkSignal)) throw error;
      const { reason, context } = error;
      return { think: { reason, context } };
    }
  }
}
