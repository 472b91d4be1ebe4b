import type { Activity, RunGiven } from '#lib/workflow';
import {
  functionCallRules,
  type FunctionPurpose,
  functionPurpose,
  referred,
  type ToolConversation,
} from '#lib/call-rules';
import type { Json, JsonObject, Rejection } from '#lib/kernel';
import { configurationRejection } from '../configuration-rejection.js';
import type { Redactor } from '../redaction/redactor.js';
import { callFunction } from './function-calls.js';
import { plainJson } from './plain-json.js';

/**
 * A function from JSON to JSON. A workflow calls it with `{ activity: 'function', input: { fnName, input } }`; a tool names it.
 * It may declare the shape of its input, which its callers give it: the arguments of a tool fit the tool's `parameters`, and nothing else is checked.
 * `call` is there if it is called as a tool.
 */
export type WorkflowFn = { fn(input: Json, call?: ToolFnCall): unknown }['fn'];

/** Which call of a tool a function is asked for, and in which conversation: absent outside of one, and for a turn of 0.2. */
export interface ToolFnCall extends ToolConversation {
  readonly toolId: string;
  /** The same for every attempt. */
  readonly callId: string;
  readonly runId: string;
}

/** The functions of a process that may be called for one purpose. */
export interface NamedFunctions {
  /** In messages, such as `arbiter`. */
  readonly kind: string;
  names(): readonly string[];
  named(fnName: string): ((input: never) => unknown) | undefined;
}

/** The registered functions, by purpose. */
export type RegisteredFunctions = { readonly [purpose in FunctionPurpose]: NamedFunctions };

const TIMEOUT_MS = 60_000;

/** Calls the functions that are registered in this process. */
export function functionActivity(functions: RegisteredFunctions, redactor: Redactor): Activity<RunGiven> {
  return {
    ...functionCallRules,
    preflight: (request) => {
      const registered = functions[functionPurpose(request)];
      const fnName = nameIn(request);
      if (registered.named(fnName)) return undefined;
      return notRegistered(registered.kind, fnName, registered.names());
    },
    perform: async (request, { signal }, given) => {
      const fnName = nameIn(request);
      const called = functions[functionPurpose(request)].named(fnName) ?? unregistered(fnName);
      const input = referred(request, 'input', given);
      const call = () => called(structuredClone(input) as never);
      const timeoutMs = Number(request['timeoutMs'] ?? TIMEOUT_MS);
      const outcome = await callFunction(call, plainJson, redactor, { signal, timeoutMs });
      if ('result' in outcome) return { completed: outcome };
      const { failure } = outcome;
      const isStep = functionPurpose(request) === 'function';
      const retryable = failure.kind === 'interrupted' ? !isStep : isStep && failure.retryable;
      return { failed: { failure: { ...failure, retryable } } };
    },
  };
}

function nameIn({ fnName }: JsonObject): string {
  return typeof fnName === 'string' ? fnName : '';
}

/** The rejection before any event is recorded. */
export function notRegistered(kind: string, name: string, registered: readonly string[]): Rejection {
  const known = registered.length > 0 ? registered.map((one) => `"${one}"`).join(', ') : 'none';
  const why = `it is not registered in this process; registered are: ${known}`;
  const fix = 'Register it (commands: in the module that `--import` names), or name one that is registered';
  return configurationRejection(`${kind} "${name}"`, why, fix);
}

/** Preflight runs first; without it a function that is not registered is an ordinary failure. */
export function unregistered(name: string): () => never {
  return () => {
    throw new Error(`The function "${name}" is not registered in this process.`);
  };
}
