import type { Json } from '#lib/kernel';
import type { ModelCallState, ModelRoute, Spent } from '#lib/call-rules';
import type { RulesAt } from '#lib/runs/tools/core';
import type { Failure, WorkflowStarted } from '#lib/workflow';
import type { Callable } from './callables.rules.js';
import type { Chat } from './chat.rules.js';
import type { CitationAt } from './citations.js';
import type { CodeInput, Exit } from './code.input.js';
import type { Component } from './components.rules.js';
import type { Asked } from './context.rules.js';
import type { HookCall } from './hook.rules.js';
import type { Iteration, IterationStatus } from './iteration.rules.js';
import type { ProgramState } from './program.rules.js';

export type FailureKind = 'loop-exceeded' | 'aborted' | 'budget' | 'critical';

/** How the run ended. */
export type Stop =
  | { readonly exit: string; readonly value: Json; readonly citations?: readonly CitationAt[] }
  | { readonly failure: Failure & { readonly kind: FailureKind } };

export interface CodeState extends RulesAt {
  readonly input: CodeInput;
  /** Of the start. */
  readonly facts: WorkflowStarted['data']['facts'];
  readonly exits: readonly Exit[];
  readonly components: readonly Component[];
  /** The model in use, then its backups. */
  readonly routes: readonly ModelRoute[];
  readonly seed: string;
  readonly callables: readonly Callable[];
  /** Whole, in order. */
  readonly messages: readonly Json[];
  /** The newest request to the model. */
  readonly request?: Asked;
  /** The iterations that have ended, then the one that runs. */
  readonly iterations: readonly Iteration[];
  /** How many have been begun. */
  readonly programs: number;
  /** The call of the model for the iteration that runs, until there is a reply. */
  readonly asking?: ModelCallState;
  /** The program of the iteration that runs, once there is a reply. */
  readonly program?: ProgramState;
  /** The iteration waits for it. */
  readonly hook?: HookCall & {
    readonly at: 'execution' | 'exit' | 'end';
    /** The status of the iteration, unless the hook changes it. */
    readonly status: IterationStatus;
  };
  /** The open trace hooks, for which the iteration does not wait. */
  readonly tracing: readonly HookCall[];
  /** The sources that texts may cite: the place of a source is its id. */
  readonly sources: readonly Json[];
  /** Present in a conversation. */
  readonly chat?: Chat;
  /** When the reply came. */
  readonly repliedAt: string;
  readonly spent: Spent;
  readonly stop?: Stop;
}

export function indexOf({ iterations }: CodeState): number {
  return iterations.length;
}

/** The iteration that runs, with these changes. */
export function current(state: CodeState, changes: Partial<Iteration>): CodeState {
  const last = state.iterations.at(-1);
  return last ? { ...state, iterations: [...state.iterations.slice(0, -1), { ...last, ...changes }] } : state;
}

export function failed(state: CodeState, kind: FailureKind, message: string): CodeState {
  return stopped(state, { failure: { kind, message } });
}

export function stopped(state: CodeState, stop: Stop): CodeState {
  const { asking: _, hook: _hook, ...rest } = state;
  return { ...rest, stop };
}
