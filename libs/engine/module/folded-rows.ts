import type { ReadSide } from '#lib/operations/core';
import type { ReadStore, Rows } from '#lib/read-models';

/** The rows of the folds of an application. */
export class FoldedRows {
  constructor(
    private readonly reads: ReadSide,
    private readonly store: ReadStore,
  ) {}

  /**
   * Asks the question once the rows of a fold have the last event that this process has written, or after a second, late rather than never.
   * @param question reads tables by their names, `db.withTables<…>()`
   * @param minPosition the position that the rows must have
   * @throws ForeignPosition | ProjectionBehind for a `minPosition`
   */
  async ask<Found, const Name extends string>(
    name: Name,
    question: (db: Rows<Name>) => Promise<Found>,
    minPosition?: string,
  ): Promise<Found> {
    await this.reads.waitForOwnWrites([name], minPosition);
    return question(this.store.db);
  }
}
