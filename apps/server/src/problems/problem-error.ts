import type { HttpProblem } from '#lib/engine/core';

/** An answer of the server itself: the request did not reach the engine. */
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
