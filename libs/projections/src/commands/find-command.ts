import type { Rows } from '../store/rows.js';

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
