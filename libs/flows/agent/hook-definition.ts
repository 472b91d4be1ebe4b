import type { Directive } from './directive-definition.js';

/** A registered function, by name. */
type NamedFunction = { readonly fn: string };

/** A registered function, by name, or a CEL expression over `data`, `context`, `session` and `history`. */
export type Predicate = NamedFunction | { readonly expr: string };

/** A hook without a directive: a registered function by name, or a registered tool by id. */
export type Observer = NamedFunction | string;

/** An observer that returns a directive, or the directive itself. */
export type Hook = Observer | Directive;

export interface StepHooks {
  /** Once, when the step begins. */
  readonly onEnter?: Hook;
  /** Before each execution of the step. */
  readonly prepare?: Hook;
  /** After the model. */
  readonly finalize?: Hook;
  /** Called with the reason. Its result is not used. */
  readonly onExit?: Observer;
}

/** `onDataUpdate` may change an update before it is applied; `onContextUpdate` is called after a change. */
interface UpdateHooks {
  readonly onDataUpdate?: Observer;
  readonly onContextUpdate?: Observer;
}

export interface FlowHooks extends UpdateHooks {
  readonly onEnter?: Hook;
  /** Called with the reason. Its result is not used. */
  readonly onExit?: Observer;
  readonly onComplete?: Hook;
}

export interface AgentHooks extends UpdateHooks {
  /** Once, when the conversation begins, or begins again after it was cleared. */
  readonly onEnter?: Hook;
  /** Returns the context of the turn. */
  readonly beforeRespond?: Observer;
}

/** A registered tool by id, with the gates of its calls. */
export type ToolUse = string | ({ readonly tool: string } & ToolGates);

export interface ToolGates {
  /** May correct the arguments, if it is a function. */
  readonly validateInput?: Predicate;
  readonly checkPermissions?: Predicate;
}

export function toolIdOf(use: ToolUse): string {
  return typeof use === 'string' ? use : use.tool;
}
