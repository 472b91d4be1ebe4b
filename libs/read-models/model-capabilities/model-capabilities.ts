import type { ModelFallback } from '#lib/call-rules';
import { type Folds, type ReadModel, totals, withoutCopies } from '../loop/declare.js';
import { foldedTable } from '../loop/folded-table.js';
import { freeText, time } from '../store/columns.js';
import type { Rows } from '../store/rows.js';
import { storedTime } from '../store/stored-values.js';
import { recordOf, type RecordOf, type SchemaOf } from '../store/table.js';

/** Members of requests that models refuse, each observed in at least one call. */
const modelCapabilitiesTable = foldedTable(
  'model_capabilities',
  {
    provider: 'text',
    /** Its name at the provider. */
    model: freeText,
    /** A member of the body of a request. */
    member: 'text',
    /** The member that replaces it; absent if it is left out. */
    instead: 'text?',
    /** The number of calls that observed it; requests without the member do not. */
    calls: 'integer',
    first_at: time,
    last_at: time,
  },
  ['provider', 'model', 'member'],
);

const capabilities = totals(modelCapabilitiesTable, { add: ['calls'], replace: ['instead', 'last_at'] });

const onRun: Folds<ModelFallback> = {
  FallbackTaken: (page, { data, occurredAt }) => {
    const { learned, from: member, to } = data;
    if (!learned) return;
    const instead = to === 'none' ? undefined : to;
    page.count(capabilities, {
      ...learned,
      member,
      instead,
      calls: 1,
      firstAt: occurredAt,
      lastAt: occurredAt,
    });
  },
};

export const modelCapabilitiesModel: ReadModel<'model_capabilities'> = {
  name: 'model_capabilities',
  kinds: [capabilities],
  on: {},
  onRuns: withoutCopies(onRun),
};

/** A member of the body that a model does not accept. Times are ISO 8601, UTC. */
export type ModelCapability = RecordOf<typeof modelCapabilitiesTable>;

/** By provider, model and member. @param since ISO 8601: observed then or later */
export async function listModelCapabilities(
  db: Rows<'model_capabilities'>,
  since?: string,
): Promise<readonly ModelCapability[]> {
  const all = db
    .withTables<SchemaOf<typeof modelCapabilitiesTable>>()
    .selectFrom(modelCapabilitiesTable.name)
    .selectAll();
  const found = since === undefined ? all : all.where('last_at', '>=', storedTime(since));
  const rows = await found.orderBy('provider').orderBy('model').orderBy('member').execute();
  return rows.map((row) => recordOf(modelCapabilitiesTable, row));
}
