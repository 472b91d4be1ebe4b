import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ReadSide } from '#lib/operations';
import type { ReadStore } from '#lib/projections';
import { READ_STORE } from '../module/read-store.token.js';
import { ReadModelsQuery } from './read-models.query.js';

@QueryHandler(ReadModelsQuery)
export class ReadModelsHandler implements IQueryHandler<ReadModelsQuery<unknown>> {
  constructor(
    private readonly reads: ReadSide,
    @Inject(READ_STORE) private readonly store: ReadStore,
  ) {}

  async execute({ projections, ask, minPosition }: ReadModelsQuery<unknown>): Promise<unknown> {
    await this.reads.reached(projections, minPosition);
    return ask(this.store.db);
  }
}
