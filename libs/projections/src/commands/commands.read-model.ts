import type { RecordedEvent } from '#lib/kernel';
import type { Projection } from '../runner/projection.js';
import { insertRowOnce } from '../store/insert-row.js';
import type { Change } from '../store/statement.js';
import { table } from '../store/table.js';
import type { Rows } from '../store/rows.js';

export const commandsTable = table(
  'commands_v1',
  { command_id: 'text', fingerprint: 'text', stream: 'text', first_revision: 'integer' },
  ['command_id'],
);

const addCommand = insertRowOnce(commandsTable);

function commandOf({ metadata, stream, revision }: RecordedEvent): Change[] {
  const { commandId, commandFingerprint } = metadata;
  if (commandId === undefined || commandFingerprint === undefined) return [];
  return [
    addCommand({
      command_id: commandId,
      fingerprint: commandFingerprint,
      stream,
      first_revision: revision,
    }),
  ];
}

/** The first event of each keyed command on a machine, gate or specialist: its stream depends on its body. */
export const commandsProjection: Projection<'commands'> = {
  name: 'commands',
  version: 1,
  tables: [commandsTable],
  on: { machine: commandOf, gate: commandOf, specialist: commandOf },
};

/** A command that was granted before, and where its first event stands. */
export interface GrantedCommand {
  readonly commandId: string;
  readonly fingerprint: string;
  readonly stream: string;
  readonly firstRevision: number;
}

/** The command on a machine or specialist that was granted under this id; `undefined` where none was. */
export async function findCommand(
  db: Rows<'commands'>,
  commandId: string,
): Promise<GrantedCommand | undefined> {
  const row = await db
    .selectFrom('commands_v1')
    .selectAll()
    .where('command_id', '=', commandId)
    .executeTakeFirst();
  if (!row) return undefined;
  const { fingerprint, stream, first_revision: firstRevision } = row;
  return { commandId, fingerprint, stream, firstRevision };
}
