import { Query } from '@nestjs/cqrs';
import type { ReadSchema } from '#lib/projections';
import type { Kysely } from 'kysely';

/** A question to the read models: one of the query functions of `#lib/projections`, asked once the rows are new enough. */
export class ReadModelsQuery<Answer> extends Query<Answer> {
  constructor(
    readonly ask: (db: Kysely<ReadSchema>) => Promise<Answer>,
    /** The log position that the rows must have reached; default: what this process has written. */
    readonly minPosition?: string,
  ) {
    super();
  }
}
