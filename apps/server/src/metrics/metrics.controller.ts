import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Answers } from '../docs/answers.decorator.js';
import { ReadParams } from '../requests/read-params.js';
import { Metrics } from './metrics.js';

@ApiTags('operations')
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  @Answers({ summary: 'Prometheus text', schema: { type: 'string' }, type: 'text/plain', problems: [503] })
  async get(
    @Query() { minPosition }: ReadParams,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string> {
    const text = await this.metrics.text(minPosition);
    response.setHeader('Content-Type', this.metrics.contentType);
    return text;
  }
}
