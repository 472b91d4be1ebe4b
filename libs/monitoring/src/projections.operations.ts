import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { IsIn, IsObject, IsString } from 'class-validator';
import {
  currentScope,
  Describe,
  items,
  IsWhole,
  Operation,
  Optional,
  OrNull,
  ReadQuery,
  ReadSide,
} from '#lib/operations';
import { ProjectionRunner, type ProjectionStatus } from '#lib/projections';

const STATUSES: readonly ProjectionStatus['status'][] = ['live', 'catching-up', 'rebuilding', 'stopped'];

export class ProjectionView {
  @IsString() name!: string;
  @IsWhole() version!: number;

  @Describe('Of the last event it has taken; null before the first')
  @OrNull()
  @IsString()
  position!: string | null;

  @Describe("Of the log's last event; null while it is empty")
  @OrNull()
  @IsString()
  headPosition!: string | null;

  @Describe('Events it is behind; null where positions do not tell')
  @OrNull()
  @IsWhole()
  lag!: number | null;

  @IsIn(STATUSES) status!: ProjectionStatus['status'];

  @Describe('The error that stops it')
  @Optional()
  @IsObject()
  error?: ProjectionStatus['error'];
}

@Operation({
  summary: 'The position of each projection, and the error that stops it',
  http: 'GET /v1/projections',
  access: 'viewer',
  answers: { 200: items(ProjectionView) },
})
export class ListProjections extends ReadQuery<{ readonly items: readonly ProjectionView[] }> {}

@QueryHandler(ListProjections)
export class ListProjectionsHandler implements IQueryHandler<ListProjections> {
  constructor(
    private readonly reads: ReadSide,
    private readonly projections: ProjectionRunner,
  ) {}

  /** Waits only with `minPosition`: operators read this status when a projection is behind. */
  async execute(): Promise<{ readonly items: readonly ProjectionView[] }> {
    const { minPosition } = currentScope();
    if (minPosition !== undefined) await this.reads.waitForOwnWrites(this.projections.names, minPosition);
    return { items: await this.projections.status() };
  }
}
