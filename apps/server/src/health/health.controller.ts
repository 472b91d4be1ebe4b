import { Controller, Get } from '@nestjs/common';
import { explain } from '#lib/kernel';
import { httpProblem } from '#lib/engine/core';
import { ProblemError } from '../problems/problem-error.js';
import { Readiness } from './readiness.js';

@Controller('health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get('live')
  live(): { readonly status: 'live' } {
    return { status: 'live' };
  }

  @Get('ready')
  async ready(): Promise<{ readonly status: 'ready' } | { readonly status: 'degraded'; parts: object }> {
    const parts = await this.readiness.unready();
    if (parts.length === 0) {
      const degraded = await this.readiness.degraded();
      return degraded.length === 0 ? { status: 'ready' } : { status: 'degraded', parts: degraded };
    }
    const why = parts.map((unready) => `${unready.part}: ${unready.why}`).join('; ');
    const detail = explain('NotReady', 'the server', why, 'Ask again, or see the log of the server');
    throw new ProblemError(httpProblem(503, 'not-ready', detail, { parts }));
  }
}
