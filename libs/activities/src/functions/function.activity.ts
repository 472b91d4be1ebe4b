import type { Activity } from '#lib/activity';
import type { EventDefinitions } from '#lib/event-store';
import { isJsonObject, type Json, type JsonObject, reject } from '#lib/kernel';
import type { Redactor } from '../redaction/redactor.js';
import { callFunction } from './function-calls.js';
import { plainJson } from './plain-json.js';

/** What a workflow calls with `{ activity: 'function', input: { fnName, input } }`: any JSON to any JSON. */
export type WorkflowFn = (input: Json) => unknown;

const events = {
  requested: 'FunctionCallRequested',
  completed: 'FunctionCallCompleted',
  failed: 'FunctionCallFailed',
};

export const functionCallEventDefinitions: EventDefinitions = Object.fromEntries(
  Object.values(events).map((type) => [type, { version: 1 }]),
);

const TIMEOUT_MS = 60_000;

/** Registered functions as calls of workflows. What a function did before its process ended is not known: it is not safe to repeat. */
export function functionActivity(
  functions: { readonly [fnName: string]: WorkflowFn },
  redactor: Redactor,
): Activity {
  return {
    name: 'function',
    events,
    definitions: functionCallEventDefinitions,
    request: (input) => (isJsonObject(input) ? input : {}),
    checkIntegrity: () => undefined,
    isSafeToRepeat: () => false,
    preflight: (request) => {
      const fnName = nameIn(request);
      return Object.hasOwn(functions, fnName) ? undefined : notRegistered(fnName);
    },
    perform: async (request, { signal }) => {
      const call = () => functions[nameIn(request)]?.(structuredClone(request['input'] ?? null));
      const outcome = await callFunction(call, plainJson, redactor, { signal, timeoutMs: TIMEOUT_MS });
      return 'failure' in outcome
        ? { failed: { failure: { ...outcome.failure } } }
        : { completed: { result: outcome.result, durationMs: outcome.durationMs } };
    },
  };
}

function nameIn({ fnName }: JsonObject): string {
  return typeof fnName === 'string' ? fnName : '';
}

function notRegistered(fnName: string) {
  return reject('refused', 'configuration', {
    errorClass: 'UnregisteredFunction',
    what: `function ${JSON.stringify(fnName)}`,
    why: 'no function of this name is registered in this process',
    fix: 'Give it in the `functions` option',
  });
}
