import { Inject, type Type } from '@nestjs/common';
import { CommandHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Rejection } from '#lib/kernel';
import type { Rows } from '#lib/read-models';
import type { StreamCategory } from '#lib/event-store';
import type { AnswerOf, OperationClass } from '../declare/operation.js';
import { orRefused } from '../write-side/rejection-error.js';
import type { PartToken, Provided } from './provided.js';
import { ReadModels } from './read-models.js';

type HandlerOf<Asked extends OperationClass> = Type<{
  execute(asked: InstanceType<Asked>): Promise<AnswerOf<Asked>>;
}>;

/**
 * The Nest handler of an operation, made of a function of the message and of its providers.
 * @param answer answers the operation, or a rejection
 */
export function answeredBy<Asked extends OperationClass, const Tokens extends readonly PartToken[]>(
  operation: Asked,
  providers: Tokens,
  answer: (asked: InstanceType<Asked>, ...provided: Provided<Tokens>) => Promise<AnswerOf<Asked> | Rejection>,
): HandlerOf<Asked> {
  class Handler {
    private readonly provided: Provided<Tokens>;

    constructor(...provided: Provided<Tokens>) {
      this.provided = provided;
    }

    async execute(asked: InstanceType<Asked>): Promise<AnswerOf<Asked>> {
      return orRefused(await answer(asked, ...this.provided));
    }
  }
  for (const [index, provider] of providers.entries()) Inject(provider)(Handler, undefined, index);
  Object.defineProperty(Handler, 'name', { value: `${operation.name}Handler` });
  const handles = operation.prototype instanceof Query ? QueryHandler : CommandHandler;
  handles(operation)(Handler);
  return Handler;
}

/**
 * The Nest handler of a query that only reads rows, once they have the position that the call needs.
 * @param read answers the query, or a rejection
 */
export function readsRows<Asked extends OperationClass, const Name extends string>(
  query: Asked,
  projections: readonly Name[],
  read: (db: Rows<Name>, query: InstanceType<Asked>) => Promise<AnswerOf<Asked> | Rejection>,
): HandlerOf<Asked> {
  return answeredBy(query, [ReadModels], (asked, rows) => rows.ask(projections, (db) => read(db, asked)));
}

/**
 * As `readsRows`, for a query about one stream, which cannot be answered while its rows stand still.
 * @param streamOf the category and the id of the stream
 */
export function readsRowsOf<Asked extends OperationClass, const Name extends string>(
  query: Asked,
  streamOf: (query: InstanceType<Asked>) => readonly [StreamCategory, string],
  projections: readonly Name[],
  read: (db: Rows<Name>, query: InstanceType<Asked>) => Promise<AnswerOf<Asked> | Rejection>,
): HandlerOf<Asked> {
  return answeredBy(query, [ReadModels], (asked, rows) =>
    rows.askOf(streamOf(asked), projections, (db) => read(db, asked)),
  );
}
