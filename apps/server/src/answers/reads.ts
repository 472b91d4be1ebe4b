import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Kysely } from 'kysely';
import { ReadModelsQuery, RejectionError } from '#lib/engine';
import { isRejection, type Rejection } from '#lib/kernel';
import type { ReadSchema } from '#lib/projections';

/** Asks the read models on behalf of a controller. */
@Injectable()
export class Reads {
  constructor(private readonly queries: QueryBus) {}

  /**
   * @param minPosition the log position that the rows must have reached
   * @throws RejectionError when the question was answered with a refusal; ForeignPosition | ProjectionBehind
   */
  async ask<Answer>(
    question: (db: Kysely<ReadSchema>) => Promise<Answer | Rejection>,
    { minPosition }: { readonly minPosition?: string } = {},
  ): Promise<Answer> {
    const answer = await this.queries.execute(new ReadModelsQuery(question, minPosition));
    if (isRejection(answer)) throw new RejectionError(answer);
    return answer;
  }
}
