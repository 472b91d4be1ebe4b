import { Controller, Get, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { is, readFields, view } from '#lib/operations';
import { Metrics } from './metrics.js';

class MetricsParams extends view({ minPosition: is.text.optional }) {}

@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  async get(@Query() query: object, @Res({ passthrough: true }) response: Response): Promise<string> {
    const { minPosition } = readFields(MetricsParams, query);
    const text = await this.metrics.text(minPosition);
    response.setHeader('Content-Type', this.metrics.contentType);
    return text;
  }
}
