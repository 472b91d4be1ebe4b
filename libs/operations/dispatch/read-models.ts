import { Inject, Injectable } from '@nestjs/common';
import { isRejection, type Rejection } from '#lib/kernel';
import type { ReadStore, Rows } from '#lib/read-models';
import { ReadSide } from '../read-side/read-side.js';
import { refuse } from '../write-side/rejection-error.js';
import { token } from './provided.js';
import { currentScope } from './scope.js';

/** Nest's token of the read store. */
export const READ_STORE = token<ReadStore>('ReadStore');

/** The rows, for handlers of queries. */
@Injectable()
export class ReadModels {
  constructor(
    private readonly reads: ReadSide,
    @Inject(READ_STORE) private readonly store: ReadStore,
  ) {}

  /** As `ask`, about a stream. @throws StreamStandsStill if its rows cannot follow it */
  async askOf<Found, const Name extends string>(
    [category, id]: readonly [category: string, id: string],
    projections: readonly Name[],
    question: (db: Rows<Name>) => Promise<Found | Rejection>,
  ): Promise<Found> {
    const found = await this.#answer(projections, async (db) => {
      await this.reads.checkStream(category, id);
      return question(db);
    });
    return isRejection(found) ? refuse(found) : this.#counted(found, projections);
  }

  /**
   * Asks the question once the rows have the position that the call needs. An `unknown` rejection is answered only once the rows have the
   * whole log and none of their streams stands still.
   * @throws RejectionError when the question was answered with a refusal; StreamStandsStill | ForeignPosition | ProjectionBehind
   */
  async ask<Found, const Name extends string>(
    projections: readonly Name[],
    question: (db: Rows<Name>) => Promise<Found | Rejection>,
  ): Promise<Found> {
    const found = await this.#answer(projections, question);
    if (!isRejection(found)) return this.#counted(found, projections);
    if (found.rejected === 'unknown') await this.reads.checkWhole(projections);
    return refuse(found);
  }

  /**
   * The rows for an answer that is read while it is sent, once they have the position that the call needs.
   * @param minPosition the rows have it; default: that of the call
   * @returns also the position of the rows; later events may be among the rows that are read
   * @throws ForeignPosition | ProjectionBehind
   */
  async source(projections: readonly string[], minPosition = currentScope().minPosition) {
    await this.reads.waitForOwnWrites(projections, minPosition);
    const { db, words } = this.store;
    return { db, words, position: await this.reads.reachedBy(projections) };
  }

  /** Adds to a page how many streams are missing in its list, or old there. */
  async #counted<Found>(found: Found, projections: readonly string[]): Promise<Found> {
    const standsStill = isPage(found) ? await this.reads.standingStillOf(projections) : 0;
    return standsStill > 0 ? { ...found, standsStill } : found;
  }

  async #answer<Found, const Name extends string>(
    projections: readonly Name[],
    question: (db: Rows<Name>) => Promise<Found | Rejection>,
  ): Promise<Found | Rejection> {
    await this.reads.waitForOwnWrites(projections, currentScope().minPosition);
    let found = await question(this.store.db);
    if (isRejection(found) && found.rejected === 'unknown') {
      await this.reads.waitForHead(projections);
      found = await question(this.store.db);
    }
    return found;
  }
}

function isPage(found: unknown): boolean {
  return typeof found === 'object' && found !== null && 'items' in found && 'nextCursor' in found;
}
