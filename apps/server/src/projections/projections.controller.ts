import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { QueryBus } from '@nestjs/cqrs';
import { ProjectionStatusesQuery } from '#lib/engine';
import type { ProjectionStatus } from '#lib/projections';
import { one } from '../docs/answer-schema.js';
import { Answers } from '../docs/answers.decorator.js';
import { ReadParams } from '../requests/read-params.js';

@ApiTags('operations')
@Controller('v1/projections')
export class ProjectionsController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Answers({
    summary: 'How far each projection has come',
    schema: {
      type: 'object',
      required: ['items'],
      properties: { items: { type: 'array', items: one('Projection') } },
    },
    problems: [503],
  })
  async list(@Query() { minPosition }: ReadParams): Promise<{ readonly items: readonly ProjectionStatus[] }> {
    return { items: await this.queries.execute(new ProjectionStatusesQuery(minPosition)) };
  }
}
