import type { Rows } from '../store/rows.js';

/** Whether a machine was ever defined, or a session ever ran one of this name. */
export async function isKnownMachine(db: Rows<'machines' | 'sessions'>, name: string): Promise<boolean> {
  const defined = db.selectFrom('machines_v2').select('machine_name').where('machine_name', '=', name);
  if (await defined.limit(1).executeTakeFirst()) return true;
  const run = db.selectFrom('sessions_v2').select('machine_name').where('machine_name', '=', name);
  return (await run.limit(1).executeTakeFirst()) !== undefined;
}
