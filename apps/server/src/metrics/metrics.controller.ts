import { Controller, Get, Query, Res } from '@nestjs/common';
import { IsString } from 'class-validator';
import type { Response } from 'express';
import { Optional, readFields } from '#lib/operations';
import { Metrics } from './metrics.js';

class MetricsParams {
  @Optional() @IsString() minPosition?: string;
}

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
