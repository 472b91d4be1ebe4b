/** The servers that the environment names for tests; it names them no longer, so that no other engine runs on them. */
export const givenServers = { eventStoreDb: taken('EVENTSTOREDB_URL'), database: taken('DATABASE_URL') };

function taken(name: string): string | undefined {
  const value = process.env[name];
  delete process.env[name];
  return value === '' ? undefined : value;
}
