// A board of decisions: a fold fills rows of the application from the log, and a Nest controller reads them.
import { Controller, Get, Inject, Module } from '@nestjs/common';
import { RedialModule, type RedialOptions } from 'redial-engine';
import { FoldedRows, type Folds, type SchemaOf, table, totals, type UserFold } from 'redial-engine/folds';
import type { SessionEvent } from 'redial-engine/session';

// #region fold
const boardTable = table('board_v1', { transition: 'text', decided_by: 'text', decisions: 'integer' }, [
  'transition',
  'decided_by',
]);
const board = totals(boardTable, { add: ['decisions'] });

const onSession: Folds<SessionEvent> = {
  TransitionExecuted: (page, { data: { transitionName: transition, isHuman } }) =>
    page.count(board, { transition, decidedBy: isHuman ? 'people' : 'models', decisions: 1 }),
};

/** A new version fills its rows from the start of the log, beside those of the version before. */
export const boardFold: UserFold = { name: 'board', version: 1, kinds: [board], on: { session: onSession } };
// #endregion

// #region controller
@Controller('board')
export class BoardController {
  constructor(@Inject(FoldedRows) private readonly rows: FoldedRows) {}

  @Get()
  list() {
    return this.rows.ask('board', (db) =>
      db
        .withTables<SchemaOf<typeof boardTable>>()
        .selectFrom('board_v1')
        .selectAll()
        .orderBy('transition')
        .orderBy('decided_by')
        .execute(),
    );
  }
}

/** The application. The caller gives all options but the folds. */
export function boardModule(options: RedialOptions) {
  @Module({
    imports: [RedialModule.forRoot({ ...options, folds: [boardFold] })],
    controllers: [BoardController],
  })
  class BoardModule {}
  return BoardModule;
}
// #endregion
