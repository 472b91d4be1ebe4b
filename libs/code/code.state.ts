import type { Json } from '#lib/kernel';
import type { ModelRoute, SandboxTrace, Spent } from '#lib/call-rules';
import type { RulesAt } from '#lib/runs/tools/core';
import type { Failure, WorkflowStarted } from '#lib/workflow';
import type { Callable } from './callables.rules.js';
import type { Chat } from './chat.rules.js';
import type { CitationAt } from './citations.js';
import type { CodeInput, Exit } from './code.input.js';
import type { Component } from './components.rules.js';
import type { CountedRequest } from './context.rules.js';
import type { Iteration } from './iteration.rules.js';

type FailureKind = 'loop-exceeded' | 'aborted' | 'budget' | 'critical' | 'expired';

/** The end of the run, or of a turn of its conversation. */
export type Stop =
  | { readonly exit: string; readonly value: Json; readonly citations?: readonly CitationAt[] }
  | { readonly failure: Failure & { readonly kind: FailureKind } };

/** The state of a run of code: its script changes it, and views read it. */
export interface CodeState extends RulesAt {
  readonly input: CodeInput;
  /** The facts of the run's start. */
  readonly facts: WorkflowStarted['data']['facts'];
  readonly exits: readonly Exit[];
  readonly components: readonly Component[];
  readonly callables: readonly Callable[];
  readonly seed: string;
  /** The model that the start names, then its backups. */
  readonly firstRoutes: readonly ModelRoute[];
  /** The model in use, then its backups. */
  routes: readonly ModelRoute[];
  /** All messages, in order. */
  readonly messages: Json[];
  /** The newest request to the model. */
  request?: CountedRequest;
  /** The finished iterations, then the current one. */
  readonly iterations: IterationState[];
  /** The number of programs that were begun. */
  programs: number;
  /** Traces that a hook has not been given yet. */
  readonly untold: {
    readonly iteration: number;
    readonly upTo: number;
    readonly traces: readonly SandboxTrace[];
  }[];
  /** The sources that texts may cite. The id of a source is its index. */
  readonly sources: Json[];
  /** Present in a conversation. */
  chat?: Chat;
  /** The time at which the newest reply came. */
  repliedAt: string;
  spent: Spent;
  stop?: Stop;
}

/** An iteration while it changes, until it has ended. */
type IterationState = Iteration & { readonly traces: SandboxTrace[] };

export function indexOf({ iterations }: Pick<CodeState, 'iterations'>): number {
  return iterations.length;
}

/** Changes the current iteration. */
export function current({ iterations }: CodeState, changes: Partial<Omit<Iteration, 'traces'>>): void {
  const last = iterations.pop();
  if (last) iterations.push({ ...last, ...changes });
}

export function failure(kind: FailureKind, message: string): Stop {
  return { failure: { kind, message } };
}
