import type { HttpProblem } from '#lib/engine';

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
