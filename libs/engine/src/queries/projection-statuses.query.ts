import { Query } from '@nestjs/cqrs';
import type { ProjectionStatus } from '#lib/projections';

/** How far each projection has come; at once, or once all of them have reached `minPosition`. */
export class ProjectionStatusesQuery extends Query<readonly ProjectionStatus[]> {
  constructor(readonly minPosition?: string) {
    super();
  }
}
