// A process of its own: the server as it is shipped, with its default settings, on the data folder that it is sent.
import 'reflect-metadata';
import { readEnvironment } from '#lib/engine';
import { startServer } from '../../../server/src/start-server.js';
import { serveParent } from './serve-parent.js';

serveParent(async (dataDir) => {
  const { app, url } = await startServer(readEnvironment({ PORT: '0', REDIAL_DATA_DIR: dataDir }));
  return { url, close: () => app.close() };
});
