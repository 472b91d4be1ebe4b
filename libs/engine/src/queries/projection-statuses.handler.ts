import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ReadSide } from '#lib/operations';
import { type ProjectionName, ProjectionRunner, type ProjectionStatus } from '#lib/projections';
import { ProjectionStatusesQuery } from './projection-statuses.query.js';

@QueryHandler(ProjectionStatusesQuery)
export class ProjectionStatusesHandler implements IQueryHandler<ProjectionStatusesQuery> {
  constructor(
    private readonly reads: ReadSide,
    private readonly projections: ProjectionRunner<ProjectionName>,
  ) {}

  /** Without `minPosition` nothing is waited for: this is what people look at when something is behind. */
  async execute({ minPosition }: ProjectionStatusesQuery): Promise<readonly ProjectionStatus[]> {
    if (minPosition !== undefined) await this.reads.reached(this.projections.names, minPosition);
    return this.projections.status();
  }
}
