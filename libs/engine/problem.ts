import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import {
  type ErrorAnswer,
  explain,
  present,
  RedialError,
  type RefusedTask,
  type RejectionKind,
} from '#lib/kernel';
import { RejectionError } from '#lib/operations/core';

const STATUS_OF: { readonly [kind in RejectionKind]: number } = {
  malformed: 400,
  unauthorized: 401,
  forbidden: 403,
  unknown: 404,
  conflict: 409,
  gone: 410,
  refused: 422,
};

/**
 * HTTP answers the problem, MCP shows it, the command line prints its detail and exits with the code of its status.
 * A rejection has the status of its kind, an error the answer of its class; `undefined` for an error whose message is for the
 * log alone.
 */
export function problemOf(error: unknown): HttpProblem | undefined {
  if (error instanceof RejectionError) return rejectionProblem(error);
  if (!(error instanceof RedialError) || !error.answer) return undefined;
  const { status, code, ...members } = error.answer;
  return httpProblem(status, code, error.message, members);
}

/** The problem of any error. Damage is logged, too. An unforeseen error is logged under an id, and the problem has the id alone. */
export function problemFor(error: unknown, logger: { error(text: string): void }): HttpProblem {
  const problem = problemOf(error);
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (problem?.status === 500) logger.error(trace);
  if (problem) return problem;
  const errorId = randomUUID();
  logger.error(`${errorId} ${trace}`);
  const why = 'something went wrong inside Redial';
  const detail = explain('InternalError', 'the call', why, `Look for ${errorId} in the log of the server`);
  return httpProblem(500, 'internal-error', detail);
}

function rejectionProblem({ rejection }: RejectionError): HttpProblem {
  const { rejected, code, message, problems, machines, task, borders, existing } = rejection;
  const members = {
    ...present({ errors: problems, machines }),
    ...task,
    ...borders,
    ...existing,
  };
  return httpProblem(STATUS_OF[rejected], code, message, members);
}

/** The body of every answer that is an error (RFC 9457), as `application/problem+json`. */
export interface HttpProblem extends ErrorAnswer, RefusedTask {
  /** A stable URI reference that names the kind of problem. */
  readonly type: string;
  readonly title: string;
  /** `[ErrorClass] what: why. how to fix.` */
  readonly detail: string;
  /** The machines of which the call has to name one. */
  readonly machines?: readonly string[];
  /** Revisions around the refused one at which the same would be granted. */
  readonly before?: number;
  readonly after?: number;
  /** The parts of a server that are not ready. */
  readonly parts?: readonly { readonly part: string; readonly why: string }[];
}

type Extras = Omit<HttpProblem, 'type' | 'title' | 'status' | 'detail' | 'code'>;

/** The body of an error (RFC 9457), with the title of its status. */
export function httpProblem(status: number, code: string, detail: string, extras: Extras = {}): HttpProblem {
  return {
    type: `/problems/${code}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail,
    code,
    ...extras,
  };
}
