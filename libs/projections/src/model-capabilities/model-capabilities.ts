import type { RecordedEvent } from '#lib/kernel';
import type { ModelFallback } from '#lib/models';
import { storedText, textFromStored } from '../row/stored-text.js';
import { storedTime, timeFromStored } from '../row/stored-time.js';
import type { Handlers, Projection } from '../runner/projection.js';
import type { Rows } from '../store/rows.js';
import { statement } from '../store/statement.js';
import { type RowOf, table } from '../store/table.js';

/** The members of requests that models refuse, each observed in at least one call. */
export const modelCapabilitiesTable = table(
  'model_capabilities_v1',
  {
    provider: 'text',
    model: 'text',
    /** Of the body of a request. */
    member: 'text',
    /** Its other name; null where it is left out. */
    instead: 'text?',
    calls: 'integer',
    first_at: 'bigint',
    last_at: 'bigint',
  },
  ['provider', 'model', 'member'],
);

type Row = RowOf<typeof modelCapabilitiesTable>;

const observe = statement<Pick<Row, 'provider' | 'model' | 'member' | 'instead' | 'last_at'>>((db, given) =>
  db
    .insertInto('model_capabilities_v1')
    .values({
      provider: given.provider,
      model: given.model,
      member: given.member,
      instead: given.instead,
      calls: 1,
      first_at: given.last_at,
      last_at: given.last_at,
    })
    .onConflict((conflict) =>
      conflict.columns(['provider', 'model', 'member']).doUpdateSet((eb) => ({
        instead: given.instead,
        calls: eb('model_capabilities_v1.calls', '+', 1),
        last_at: given.last_at,
      })),
    ),
);

const onRun: Handlers<ModelFallback> = {
  FallbackTaken: ({ data, occurredAt }: RecordedEvent<ModelFallback>) => {
    const { learned, from, to } = data;
    if (!learned) return [];
    return [
      observe({
        provider: learned.provider,
        model: storedText(learned.model),
        member: from,
        instead: to === 'none' ? null : to,
        last_at: storedTime(occurredAt),
      }),
    ];
  },
};

export const modelCapabilitiesProjection: Projection<'model_capabilities'> = {
  name: 'model_capabilities',
  version: 1,
  tables: [modelCapabilitiesTable],
  on: {},
  onRuns: () => onRun,
};

/** A member of the body that a model was found not to take. Times are ISO 8601, UTC. */
export interface ModelCapability {
  readonly provider: string;
  /** Its name at the provider. */
  readonly model: string;
  readonly member: string;
  /** Its other name; absent where it is left out. */
  readonly instead?: string;
  /** In how many calls it was observed; requests without the member observe nothing. */
  readonly calls: number;
  readonly firstAt: string;
  readonly lastAt: string;
}

/** By provider, model and member. @param since ISO 8601: observed then or later */
export async function listModelCapabilities(
  db: Rows<'model_capabilities'>,
  since?: string,
): Promise<readonly ModelCapability[]> {
  const all = db.selectFrom('model_capabilities_v1').selectAll();
  const found = since === undefined ? all : all.where('last_at', '>=', storedTime(since));
  const rows = await found.orderBy('provider').orderBy('model').orderBy('member').execute();
  return rows.map((row) => ({
    provider: row.provider,
    model: textFromStored(row.model),
    member: row.member,
    ...(row.instead !== null && { instead: row.instead }),
    calls: row.calls,
    firstAt: timeFromStored(row.first_at),
    lastAt: timeFromStored(row.last_at),
  }));
}
