// A process of its own: the server as it is shipped, with its default settings and those that it gets.
import 'reflect-metadata';
import { readEnvironment } from '#lib/engine/core';
import { startServer } from '../../../server/src/start-server.js';
import { serveParent } from './serve-parent.js';

serveParent(async (settings) => {
  const given = JSON.parse(settings) as Record<string, string>;
  const { app, url } = await startServer(readEnvironment({ PORT: '0', ...given }));
  return { url, close: () => app.close() };
});
