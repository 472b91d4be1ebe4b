import { Injectable, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { httpProblem } from '#lib/engine/core';
import { explain } from '#lib/kernel';
import { type Caller, Dispatcher, type Operation, operationOf } from '#lib/operations';
import { ProblemError } from '../problems/problem-error.js';

/** Calls that this process works on after their answers: each is a call to a model or more. */
const MOST_ASYNC = 200;

/** Answers 202 to callers who do not wait, and works on. */
@Injectable()
export class AsyncAnswers {
  private readonly logger = new Logger('Async');
  private working = 0;

  constructor(private readonly dispatcher: Dispatcher) {}

  /** Whether the caller requests it, and the operation offers it. */
  isWished({ async: query }: Operation, request: Request): boolean {
    return query !== undefined && /(?:^|,)\s*respond-async\s*(?:[,;]|$)/i.test(request.get('prefer') ?? '');
  }

  /**
   * A command that can be refused before its work begins is refused to the caller. A later failure is logged, and shows at the path of the
   * work. As with any call whose caller is gone, a stop or a crash leaves it open, and a repeat under its key continues it.
   * @throws RejectionError | ProblemError
   */
  async answer(
    operation: Operation,
    call: { readonly input: object; readonly caller: Caller },
    response: Response,
  ): Promise<void> {
    const query = operationOf(operation.async as NonNullable<Operation['async']>);
    const names = query.pathNames.map((name) => [name, Reflect.get(call.input, name) as unknown] as const);
    const { credentials } = call.caller;
    const shown = await this.dispatcher.dispatch(query.type, Object.fromEntries(names), {
      ...(credentials && { credentials }),
    });
    if (this.working >= MOST_ASYNC) throw tooMany();
    const { answer } = await this.dispatcher.begin(operation.type, call.input, call.caller);
    this.working += 1;
    void answer
      .catch((error: unknown) => this.logger.warn(`${operation.id} failed after 202: ${String(error)}`))
      .finally(() => (this.working -= 1));
    const location = names.reduce(
      (path, [name, value]) => path.replace(`:${name}`, encodeURIComponent(String(value))),
      query.path,
    );
    response.status(202).setHeader('Location', location).setHeader('Preference-Applied', 'respond-async');
    response.json(shown.value);
  }
}

function tooMany(): ProblemError {
  const why = `this process works on ${MOST_ASYNC} calls whose callers do not wait`;
  const detail = explain('TooManyAsync', 'this call', why, 'Try again later, or wait for the answer');
  return new ProblemError(httpProblem(503, 'too-many-async', detail), { 'Retry-After': '10' });
}
