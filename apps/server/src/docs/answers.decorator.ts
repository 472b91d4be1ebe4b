import { applyDecorators } from '@nestjs/common';
import { ApiOperation, ApiResponse } from '@nestjs/swagger';
import { ApiProblems } from './api-problems.decorator.js';

interface Documented {
  readonly summary: string;
  readonly schema: object;
  readonly type?: string;
  /** Besides 400 and 401. */
  readonly problems?: readonly number[];
}

/** Documents a call that changes nothing. */
export function Answers({
  summary,
  schema,
  type = 'application/json',
  problems = [],
}: Documented): MethodDecorator {
  return applyDecorators(
    ApiOperation({ summary }),
    ApiResponse({ status: 200, content: { [type]: { schema } } }),
    ApiProblems(400, 401, ...problems),
  );
}
