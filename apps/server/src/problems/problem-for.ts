import { HttpException } from '@nestjs/common';
import { type HttpProblem, problemOf } from '#lib/engine';
import { frameworkProblem } from './framework-problem.js';
import { ProblemError } from './problem-error.js';

/** As `problemOf`, and for what the server and its framework find by themselves. */
export function problemFor(error: unknown): HttpProblem | undefined {
  if (error instanceof ProblemError) return error.problem;
  return error instanceof HttpException ? frameworkProblem(error) : problemOf(error);
}
