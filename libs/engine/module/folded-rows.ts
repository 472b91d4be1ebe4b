import type { ReadSide } from '#lib/operations/core';
import type { ReadStore, Rows } from '#lib/read-models';

/** The rows that folds of the application fill. */
export class FoldedRows {
  constructor(
    private readonly reads: ReadSide,
    private readonly store: ReadStore,
  ) {}

  /**
   * Asks once the rows of a fold have what this process has written, or after a second, late rather than never.
   * @param question reads tables by their names, `db.withTables<…>()`
   * @param minPosition the rows must have come so far
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
