import { applyDecorators, UseInterceptors } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiResponse } from '@nestjs/swagger';
import { GrantedInterceptor } from '../answers/granted.interceptor.js';
import { REDIAL_POSITION } from '../answers/redial-position.js';
import { one } from './answer-schema.js';
import { ApiProblems } from './api-problems.decorator.js';

interface Documented {
  readonly summary: string;
  /** Name of the answer's schema. */
  readonly answer: string;
  /** 201, 200, or both where it may have been there before. */
  readonly statuses: readonly (200 | 201)[];
  /** Besides 400, 401, 413, 415 and 422. */
  readonly problems?: readonly number[];
}

const position = {
  description: 'Position in the log of the last event that was appended for this call',
  schema: { type: 'string' },
} as const;

/** A call that changes something: answered by what its command was granted, repeatable under an Idempotency-Key. */
export function Changes({ summary, answer, statuses, problems = [] }: Documented): MethodDecorator {
  return applyDecorators(
    UseInterceptors(GrantedInterceptor),
    ApiOperation({ summary }),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description: 'The same key and body again: the same answer, and nothing new',
      schema: { type: 'string', minLength: 1, maxLength: 128 },
    }),
    ...statuses.map((status) =>
      ApiResponse({
        status,
        headers: { [REDIAL_POSITION]: position },
        content: { 'application/json': { schema: one(answer) } },
      }),
    ),
    ApiProblems(400, 401, 413, 415, 422, ...problems),
  );
}
