import { Query } from '@nestjs/cqrs';
import type { ProjectionName, Rows } from '#lib/projections';

/** A question to the read models: a query function of `#lib/projections`, asked once the rows it reads are new enough. */
export class ReadModelsQuery<Answer, Name extends ProjectionName = ProjectionName> extends Query<Answer> {
  constructor(
    /** Whose rows the question reads: it waits for no others. */
    readonly projections: readonly Name[],
    readonly ask: (db: Rows<Name>) => Promise<Answer>,
    /** The log position that the rows must have reached; default: what this process has written. */
    readonly minPosition?: string,
  ) {
    super();
  }
}
