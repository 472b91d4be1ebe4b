import type { QueryBus } from '@nestjs/cqrs';
import type { ReadOptions } from '#lib/operations';
import type { ProjectionName, Rows } from '#lib/projections';
import { ReadModelsQuery } from '../queries/read-models.query.js';

/** Asks the read models, once the rows that the question reads are new enough. @throws ForeignPosition | ProjectionBehind */
export function askRows<Answer, Name extends ProjectionName>(
  queries: QueryBus,
  projections: readonly Name[],
  question: (db: Rows<Name>) => Promise<Answer>,
  options?: ReadOptions,
): Promise<Answer> {
  return queries.execute(new ReadModelsQuery(projections, question, options?.minPosition));
}
