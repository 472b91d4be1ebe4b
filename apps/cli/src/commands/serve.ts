import { readEnvironment } from '#lib/engine';
import { startServer } from '../../../server/src/start-server.js';
import type { Io } from '../io.js';
import type { GlobalOptions } from './hand-written-commands.js';

export async function serve({ dataDir, json }: GlobalOptions, { out, untilStopped }: Io): Promise<void> {
  const given = dataDir === undefined ? {} : { REDIAL_DATA_DIR: dataDir };
  const environment = readEnvironment({ ...process.env, ...given });
  const { app, url } = await startServer(environment);
  out.write(json ? `${JSON.stringify({ url })}\n` : `Redial listening on ${url}\n`);
  await untilStopped();
  await app.close();
}
