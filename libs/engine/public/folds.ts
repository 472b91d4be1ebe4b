/**
 * Rows of an application: tables, and folds of events into them, for `RedialModule.forRoot({ folds })`.
 * @packageDocumentation
 * @experimental Names and shapes may change in any minor release before 1.0.
 */
export { FoldedRows } from '../module/folded-rows.js';
export { InvalidFold, type UserFold } from '../module/user-folds.js';
export {
  type DocOf,
  documents,
  facts,
  flag,
  type Fold,
  type FoldOf,
  type FoldPage,
  type Folds,
  freeText,
  json,
  type NumberedEvent,
  optional,
  plain,
  recordOf,
  type RecordOf,
  type Ref,
  type SchemaOf,
  type SeenDoc,
  table,
  time,
  totals,
  uuid,
  word,
} from '#lib/read-models';
