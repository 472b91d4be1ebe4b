import { AsyncLocalStorage } from 'node:async_hooks';
import type { CommandContext } from '../write-side/command-context.js';
import type { Written } from '../write-side/written.js';

/** The parts of one call of an operation that its message does not hold. */
export interface Scope {
  /** Its identity; for a query, only the caller and the known position of the log. */
  readonly context: CommandContext;
  /** The position that rows must have reached. */
  readonly minPosition?: string;
  /** Whether the call made something new, now or when it came first. */
  created: boolean;
  /** Whether a repeat could not find the answer in the events of the call: it is recorded for keyed calls. */
  isFleeting: boolean;
}

const scopes = new AsyncLocalStorage<Scope>();

export function runInScope<T>(scope: Scope, work: () => Promise<T>): Promise<T> {
  return scopes.run(scope, work);
}

/** The scope that the dispatcher opened. @throws TypeError in a handler that was reached by a bus alone */
export function currentScope(): Scope {
  const scope = scopes.getStore();
  if (!scope) throw new TypeError('Operations are executed by the dispatcher: their calls have a scope.');
  return scope;
}

/** The identity of the call that is handled. */
export function currentContext(): CommandContext {
  return currentScope().context;
}

/** Notes the subject that the answer of the call is about. */
export function noteSubject(subject: string | undefined): void {
  scopes.getStore()?.context.about.note(subject);
}

/** Notes that a repeat could not find this answer in the events of the call: it is recorded for keyed calls. */
export function markFleeting(isFleeting = true): void {
  currentScope().isFleeting = isFleeting;
}

/** Notes that the call made something: 201 rather than 200. */
export function markCreated(created = true): void {
  currentScope().created = created;
}

/** Notes for the call the position of a written answer, and whether it made something. @returns the value */
export function answered<T>({ value, position, created, isFleeting = false }: Written<T>): T {
  const scope = currentScope();
  scope.context.written.note(position);
  Object.assign(scope, { created, isFleeting });
  return value;
}
