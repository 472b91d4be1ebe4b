import type { RecordedEvent } from '#lib/kernel';
import type { Projection } from '../runner/projection.js';
import { insertRowOnce } from '../store/row-changes.js';
import type { Rows } from '../store/rows.js';
import type { Change } from '../store/statement.js';
import { recordOf, type RecordOf, table } from '../store/table.js';

export const commandsTable = table(
  'commands_v1',
  { command_id: 'text', fingerprint: 'text', stream: 'text', first_revision: 'integer' },
  ['command_id'],
);

const addCommand = insertRowOnce(commandsTable);

function commandOf({ metadata, stream, revision }: RecordedEvent): Change[] {
  const { commandId, commandFingerprint: fingerprint } = metadata;
  if (commandId === undefined || fingerprint === undefined) return [];
  return [addCommand({ commandId, fingerprint, stream, firstRevision: revision })];
}

/** The first event of each keyed command on a machine, gate or specialist: its stream depends on its body. */
export const commandsProjection: Projection<'commands'> = {
  name: 'commands',
  version: 1,
  tables: [commandsTable],
  on: { machine: commandOf, gate: commandOf, specialist: commandOf },
};

/** A command that was granted before, and the location of its first event. */
export type GrantedCommand = RecordOf<typeof commandsTable>;

/** The command on a machine or specialist that was granted under this id; `undefined` if none was. */
export async function findCommand(
  db: Rows<'commands'>,
  commandId: string,
): Promise<GrantedCommand | undefined> {
  const row = await db
    .selectFrom('commands_v1')
    .selectAll()
    .where('command_id', '=', commandId)
    .executeTakeFirst();
  return row && recordOf(commandsTable, row);
}
