import { explain, LISTED_PROBLEMS, type Problem } from '#lib/kernel';
import { type HttpProblem, httpProblem } from './http-problem.js';

/** An answer that the server itself gives instead of the engine: the request never came as far. */
export class ProblemError extends Error {
  constructor(
    readonly problem: HttpProblem,
    /** Headers that belong to the answer. */
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(problem.detail);
    this.name = 'ProblemError';
  }
}

/** 400: what was sent cannot be read. The first 20 problems are listed. */
export function malformedRequest(errors: readonly Problem[], what = 'the request'): ProblemError {
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  const why = `${first?.path ?? ''} ${first?.message ?? 'it cannot be read'}${more}`.trim();
  const detail = explain('MalformedRequest', what, why, 'Correct what `errors` lists and send it again');
  return new ProblemError(
    httpProblem(400, 'malformed-request', detail, { errors: errors.slice(0, LISTED_PROBLEMS) }),
  );
}
