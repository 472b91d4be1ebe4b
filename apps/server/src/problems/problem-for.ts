import { HttpException } from '@nestjs/common';
import { type HttpProblem, problemOf } from '#lib/engine';
import { frameworkProblem } from './framework-problem.js';
import { ProblemError } from './problem-error.js';

/** Like `problemOf`, also for errors of the server and its framework. */
export function problemFor(error: unknown): HttpProblem | undefined {
  if (error instanceof ProblemError) return error.problem;
  return error instanceof HttpException ? frameworkProblem(error) : problemOf(error);
}
