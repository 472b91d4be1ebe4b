import { problemIn, type SandboxEnd, type SandboxTrace, type Usage } from '#lib/call-rules';
import { type Json, jsonText } from '#lib/kernel';
import type { CodeError } from './code-errors.rules.js';
import type { Exit } from './code.input.js';
import { actionOf } from './exits.rules.js';

/** The end of an iteration. The first five kinds are shown to the model, which continues. */
export type IterationStatus =
  | { readonly type: 'invalid_code_error'; readonly code: CodeError; readonly message: string }
  | {
      readonly type: 'execution_error';
      readonly code: CodeError;
      readonly message: string;
      readonly stack: string;
    }
  | { readonly type: 'thinking_requested'; readonly reason: string; readonly variables: Json }
  | {
      readonly type: 'exit_error';
      readonly code: CodeError;
      readonly exit: string | null;
      readonly message: string;
      readonly return_value: Json;
    }
  | { readonly type: 'exit_success'; readonly name: string; readonly value: Json }
  | { readonly type: 'generation_error'; readonly code: CodeError; readonly message: string }
  | { readonly type: 'aborted'; readonly reason: string }
  | { readonly type: 'pending' };

/** One reply of the model, its program and its end. */
export interface Iteration {
  /** From 1. */
  readonly index: number;
  readonly code?: string;
  readonly status: IterationStatus;
  readonly traces: readonly SandboxTrace[];
  /** The step of the slice that holds the variables, with those of the iterations before. */
  readonly variablesIn?: string;
  readonly llmCallId?: string;
  /** The model that replied, its tokens and its cost, over all attempts. */
  readonly model?: string;
  readonly usage?: Usage;
  readonly costUSD?: number;
  /** From the reply to the end. */
  readonly durationMs: number;
}

export function statusOf(end: SandboxEnd, exits: readonly Exit[]): IterationStatus {
  switch (end.kind) {
    case 'invalid':
      return { type: 'invalid_code_error', code: 'invalid-code', message: problemIn(end) };
    case 'limit':
      return executionError('limit', problemIn(end));
    case 'threw':
      return executionError('code-threw', problemIn(end), end.stack);
    case 'returned':
      return returned(end.value, exits);
  }
}

function returned(value: Json | undefined, exits: readonly Exit[]): IterationStatus {
  const action = actionOf(value, exits);
  switch (action.kind) {
    case 'exit':
      return { type: 'exit_success', name: action.name, value: action.value };
    case 'think':
      return { type: 'thinking_requested', reason: action.reason, variables: action.variables ?? {} };
    case 'error':
      return exitError(action.code, action.exit, action.message, value);
  }
}

export function executionError(code: CodeError, message: string, stack = ''): IterationStatus {
  return { type: 'execution_error', code, message, stack };
}

export function exitError(
  code: CodeError,
  exit: string | null,
  message: string,
  value: Json = null,
): IterationStatus {
  return { type: 'exit_error', code, exit, message, return_value: value };
}

const SHOWN = 20_000;

/** The feedback that the model reads before it writes the next program; `undefined` if the run ends. */
export function feedbackOf(
  status: IterationStatus,
  code: string,
  line: number | undefined,
): string | undefined {
  switch (status.type) {
    case 'invalid_code_error':
      return `The code is invalid: ${status.message}${quotedLine(code, line)}\n\nWrite the whole code again.`;
    case 'execution_error': {
      const stack = status.stack === '' ? '' : `\n${status.stack}`;
      return `The code failed: ${status.message}${quotedLine(code, line)}${stack}\n\nWrite code that goes on from here.`;
    }
    case 'exit_error':
      return `The returned value was refused: ${status.message}\nIt was: ${shown(status.return_value)}\n\nWrite code that returns a valid action.`;
    case 'thinking_requested':
      return `You asked to think: ${status.reason}\nThe values are: ${shown(status.variables)}\n\nWrite the next code.`;
    default:
      return undefined;
  }
}

function shown(value: Json): string {
  const text = jsonText(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}… (${text.length} characters)` : text;
}

/** Line n of a text, from 1, in the form for the model. */
function quotedLine(code: string, line: number | undefined): string {
  const text = line === undefined ? undefined : code.split('\n')[line - 1];
  return text === undefined ? '' : `\nLine ${line}: ${text.trim().slice(0, 400)}`;
}
