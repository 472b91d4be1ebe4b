import {
  documents,
  foldedTable,
  type FoldPage,
  type Folds,
  json,
  pageOfRows,
  type PageRequest,
  plain,
  type ReadModel,
  recordOf,
  type RecordOf,
  type Ref,
  type Rows,
  type SchemaOf,
  time,
  uuid,
} from '#lib/read-models';
import type { Attempt, ReactionEvent } from './reaction.events.js';

const reactionsTable = foldedTable('reactions', { name: 'text', parked: 'integer', started_at: time }, [
  'name',
]);

export const parkedTable = foldedTable(
  'parked_deliveries',
  {
    delivery_id: uuid,
    reaction: 'text',
    number: plain('bigint'),
    type: 'text',
    stream: 'text',
    revision: 'bigint',
    parked_at: time,
    attempts: json<readonly Attempt[]>(),
  },
  ['delivery_id'],
  [['reaction', 'number']],
);

export type ReactionTables = SchemaOf<typeof reactionsTable | typeof parkedTable>;

const reactions = documents(reactionsTable, 'name');
const parked = documents(parkedTable, 'delivery_id', { isAtRest: () => true });

const deliveryOf = ({ data }: { readonly data: { readonly deliveryId: string } }): readonly Ref[] => [
  [parked, data.deliveryId],
];

function unpark(
  page: FoldPage,
  { data }: { readonly data: { readonly deliveryId: string } },
  name: string,
): void {
  page.drop(parked, data.deliveryId);
  const reaction = page.change(reactions, name);
  if (reaction) reaction.parked -= 1;
}

const onReaction: Folds<ReactionEvent> = {
  ReactionStarted: (page, { data: { name }, occurredAt }) =>
    page.put(reactions, { name, parked: 0, startedAt: occurredAt }),
  ReactionEnded: (page, { data: { name } }) => page.drop(reactions, name),
  DeliveryParked: {
    needs: deliveryOf,
    fold: (page, { data, number, occurredAt }, name) => {
      page.put(parked, { ...data, reaction: name, number, parkedAt: occurredAt });
      const reaction = page.change(reactions, name);
      if (reaction) reaction.parked += 1;
    },
  },
  DeliveryRetried: { needs: deliveryOf, fold: unpark },
  DeliveryDropped: { needs: deliveryOf, fold: unpark },
};

/** The reactions of a log, and their parked deliveries. */
export const reactionsModel: ReadModel<'reactions'> = {
  name: 'reactions',
  kinds: [reactions, parked],
  of: { reaction: [reactions] },
  on: { reaction: onReaction },
};

type ReactionRecord = RecordOf<typeof reactionsTable>;

export async function isKnownReaction(db: Rows<'reactions'>, name: string): Promise<boolean> {
  return (await allReactions(db).where('name', '=', name).execute()).length > 0;
}

/** By name. */
export function listReactions<Item>(
  db: Rows<'reactions'>,
  request: PageRequest,
  shown: (found: readonly ReactionRecord[]) => Promise<readonly Item[]>,
) {
  return pageOfRows(request, {
    list: 'reactions',
    rows: allReactions(db),
    table: reactionsTable,
    by: 'name',
    toItems: (rows) => shown(rows.map((row) => recordOf(reactionsTable, row))),
  });
}

function allReactions(db: Rows<'reactions'>) {
  return db.withTables<ReactionTables>().selectFrom(reactionsTable.name).selectAll();
}

/** The parked deliveries of a reaction, the first parked first. */
export function parkedRows(db: Rows<'reactions'>, name: string, request: PageRequest) {
  return pageOfRows(request, {
    list: `parked deliveries of ${name}`,
    rows: db
      .withTables<ReactionTables>()
      .selectFrom(parkedTable.name)
      .selectAll()
      .where('reaction', '=', name),
    table: parkedTable,
    by: 'number',
    toItems: (rows) => rows.map((row) => recordOf(parkedTable, row)),
  });
}
