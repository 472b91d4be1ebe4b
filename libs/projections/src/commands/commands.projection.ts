import type { RecordedEvent } from '#lib/kernel';
import type { Projection } from '../runner/projection.js';
import { insertRowOnce } from '../store/insert-row.js';
import type { Change } from '../store/statement.js';
import { commandsTable } from './commands.table.js';

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
