import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ProjectionRunner, type ProjectionStatus } from '#lib/projections';
import { Reads } from '../answers/reads.js';
import { one } from '../docs/answer-schema.js';
import { Answers } from '../docs/answers.decorator.js';
import { ReadParams } from '../requests/read-params.js';

@ApiTags('operations')
@Controller('v1/projections')
export class ProjectionsController {
  constructor(
    private readonly runner: ProjectionRunner,
    private readonly reads: Reads,
  ) {}

  /** Without `minPosition` nothing is waited for: this is what people look at when something is behind. */
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
  async list(@Query() params: ReadParams): Promise<{ readonly items: readonly ProjectionStatus[] }> {
    if (params.minPosition !== undefined) await this.reads.ask(() => Promise.resolve(null), params);
    return { items: await this.runner.status() };
  }
}
