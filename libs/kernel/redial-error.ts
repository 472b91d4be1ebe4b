import { explain } from './explain.js';
import type { Problem } from './rejection.js';

/** The answer to an error that is not a bug: the HTTP status, and on the command line the exit code of that status. */
export interface ErrorAnswer {
  readonly status: number;
  /** Stable, in kebab case, for programs. */
  readonly code: string;
  /** The problems and their locations: JSON pointers into the body, or the name of a parameter or header. */
  readonly errors?: readonly Problem[];
  /** The kind of the failure of a proposer, an arbiter or a turn. */
  readonly kind?: string;
  readonly upstreamStatus?: number;
  readonly solicitationId?: string;
  readonly arbitrationId?: string;
  readonly turnId?: string;
  /** The line of a history file at which it is broken, from 1. */
  readonly line?: number;
}

/** Base class of all errors that Redial throws: a bug, a divergence, or an outside system that fails. Refusals are values (`Rejection`). */
export class RedialError extends Error {
  /** If absent, the message is only for the log of the process. */
  declare readonly answer?: ErrorAnswer;

  constructor(what: string, why: string, fix: string, options?: ErrorOptions) {
    super('', options);
    this.name = new.target.name;
    this.message = explain(this.name, what, why, fix);
  }
}
