import { Controller, Post } from '@nestjs/common';
import { httpProblem } from '#lib/engine/core';
import { explain } from '#lib/kernel';
import { ProblemError } from './problem-error.js';

/** Calls of the contract that this version does not have: 501, so that a client can tell them from a wrong path. */
@Controller('v1')
export class NotOfferedController {
  @Post('sessions/:sessionId/forks')
  fork(): never {
    const why = 'this version does not fork sessions';
    const detail = explain('NotOffered', 'the fork', why, 'Create a session of the same machine');
    throw new ProblemError(httpProblem(501, 'not-offered', detail));
  }
}
