// The names of these events and of their members are the storage format: logs of every release hold them.
// Add members as optional ones; to rename or to change a meaning, raise the version and write an upcaster.
import type { DeclaredEvents } from '#lib/event-store';
import {
  type ActivityFailure,
  activityFailureMembers,
  type ActivityRules,
  type RunGiven,
} from '#lib/workflow';
import type { Event, Json, JsonObject } from '#lib/kernel';
import { inputOf } from './call-input.js';
import { givenMemory, type GivenPart, referring } from './given-parts.rules.js';

/** The purpose of a function call. `function`: a step of an application's workflow. `hook`: it may read and change the call, and refuse it. */
export type FunctionPurpose = 'strategy' | 'context' | 'verdict' | 'hook' | 'function';

const REPEATABLE: readonly Json[] = ['strategy', 'context', 'verdict', 'hook'] satisfies FunctionPurpose[];

/** The input of a call, from its step. The function gets a copy of `input`. */
export type FunctionCall = {
  readonly fnName: string;
  readonly input: Json;
  /** Default: `function`. */
  readonly purpose?: FunctionPurpose;
  /** From 1. Default: 1. */
  readonly attempt?: number;
  /** Milliseconds until the call is given up. Default: a minute. */
  readonly timeoutMs?: number;
};

/** A registered function is about to be called. */
export type FunctionCallRequested = Event<
  'FunctionCallRequested',
  { readonly stepId: string } & Omit<FunctionCall, 'input'> & {
      /** Absent if the function gets the values that the run was given: see `given-parts.rules.ts`. */
      readonly input?: Json;
      readonly inputFrom?: readonly GivenPart[];
      readonly inputSha256?: string;
    }
>;

/** `result` as the function returned it, not checked yet. */
export type FunctionCallCompleted = Event<
  'FunctionCallCompleted',
  { readonly stepId: string; readonly result: Json; readonly durationMs: number }
>;

/** The function threw, or gave no JSON value in time. */
export type FunctionCallFailed = Event<
  'FunctionCallFailed',
  { readonly stepId: string; readonly failure: ActivityFailure }
>;

const definitions: DeclaredEvents<FunctionCallRequested | FunctionCallCompleted | FunctionCallFailed> = {
  FunctionCallRequested: {
    version: 1,
    members: {
      stepId: 'structure',
      fnName: 'structure',
      purpose: 'structure',
      attempt: 'structure',
      timeoutMs: 'structure',
      input: 'content',
      inputFrom: 'content',
      inputSha256: 'derived',
    },
    blanks: { '/input': null },
  },
  FunctionCallCompleted: {
    version: 1,
    members: { stepId: 'structure', result: 'content', durationMs: 'structure' },
    blanks: { '/result': null },
  },
  FunctionCallFailed: { version: 1, members: { stepId: 'structure', failure: activityFailureMembers } },
};

/**
 * Functions that are registered by name. It is unknown what a workflow's function did before its process ended, so it is not safe to repeat.
 * Strategies, contexts, verdicts and hooks only choose, so they are called again.
 */
export const functionCallRules: ActivityRules<RunGiven> = {
  name: 'function',
  events: {
    requested: 'FunctionCallRequested',
    completed: 'FunctionCallCompleted',
    failed: 'FunctionCallFailed',
  },
  definitions,
  memory: givenMemory,
  request: (input, given) => referring(inputOf(input), 'input', given),
  checkIntegrity: () => undefined,
  isSafeToRepeat: (request) => functionPurpose(request) !== 'function',
};

/** The purpose of a request; `function` if it names none. */
export function functionPurpose({ purpose }: JsonObject): FunctionPurpose {
  return purpose !== undefined && REPEATABLE.includes(purpose) ? (purpose as FunctionPurpose) : 'function';
}
