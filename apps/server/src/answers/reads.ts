import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ReadModelsQuery, RejectionError } from '#lib/engine';
import { isRejection, type Rejection } from '#lib/kernel';
import type { ProjectionName, Rows } from '#lib/projections';

/** Asks the read models on behalf of a controller. */
@Injectable()
export class Reads {
  constructor(private readonly queries: QueryBus) {}

  /**
   * @param projections whose rows the question reads
   * @param minPosition the log position that the rows must have reached
   * @throws RejectionError when the question was answered with a refusal; ForeignPosition | ProjectionBehind
   */
  async ask<Answer, Name extends ProjectionName>(
    projections: readonly Name[],
    question: (db: Rows<Name>) => Promise<Answer | Rejection>,
    { minPosition }: { readonly minPosition?: string } = {},
  ): Promise<Answer> {
    const answer = await this.queries.execute(new ReadModelsQuery(projections, question, minPosition));
    if (isRejection(answer)) throw new RejectionError(answer);
    return answer;
  }
}
