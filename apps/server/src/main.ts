import 'reflect-metadata';
import { readEnvironment, redactorOf } from '#lib/engine/core';
import { loadPart, printable } from '#lib/kernel';

// The process goes on if its log cannot be written, because the reader is gone or the disk is full.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

try {
  const { startServer } = await loadPart('the HTTP server', () => import('./start-server.js'));
  const { app, url } = await startServer(readEnvironment(process.env));
  app.enableShutdownHooks(['SIGTERM', 'SIGINT', 'SIGHUP'], { useProcessExit: true });
  process.stdout.write(`Redial listening on ${url}\n`);
} catch (error) {
  const why = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${printable(redactorOf(process.env).text(why))}\n`);
  // Parts that were started must not keep alive a process that serves no request.
  process.exit(1);
}
