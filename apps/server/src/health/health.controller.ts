import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { explain } from '#lib/kernel';
import { Answers } from '../docs/answers.decorator.js';
import { httpProblem } from '#lib/engine';
import { ProblemError } from '../problems/problem-error.js';
import { Readiness } from './readiness.js';

const schema = { type: 'object', required: ['status'], properties: { status: { type: 'string' } } };

@ApiTags('operations')
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get('live')
  @Answers({ summary: 'Whether the process answers', schema })
  live(): { readonly status: 'live' } {
    return { status: 'live' };
  }

  @Get('ready')
  @Answers({ summary: 'Whether it can do its work', schema, problems: [503] })
  async ready(): Promise<{ readonly status: 'ready' }> {
    const parts = await this.readiness.unready();
    if (parts.length === 0) return { status: 'ready' };
    const why = parts.map((unready) => `${unready.part}: ${unready.why}`).join('; ');
    const detail = explain('NotReady', 'the server', why, 'Ask again, or see the log of the server');
    throw new ProblemError(httpProblem(503, 'not-ready', detail, { parts }));
  }
}
