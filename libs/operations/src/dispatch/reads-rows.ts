import type { Type } from '@nestjs/common';
import { type IQueryHandler, type Query, QueryHandler } from '@nestjs/cqrs';
import type { Rejection } from '#lib/kernel';
import type { Rows } from '#lib/projections';
import { ReadModels } from './read-models.js';

/**
 * The Nest handler of a query that only reads rows, once these are as new as the call wants them.
 * @param read answers the query, or a rejection
 */
export function readsRows<Answer, Asked extends Query<Answer>, const Name extends string>(
  query: Type<Asked>,
  projections: readonly Name[],
  read: (db: Rows<Name>, query: Asked) => Promise<Answer | Rejection>,
): Type<IQueryHandler<Query<Answer>, Answer>> {
  @QueryHandler(query)
  class RowsHandler implements IQueryHandler<Query<Answer>, Answer> {
    constructor(private readonly rows: ReadModels) {}

    execute(asked: Query<Answer>): Promise<Answer> {
      return this.rows.ask(projections, (db) => read(db, asked as Asked));
    }
  }
  Object.defineProperty(RowsHandler, 'name', { value: `${query.name}Handler` });
  return RowsHandler;
}
