import { createWorld } from '@workflow/world-postgres';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setWorld } from 'workflow/runtime';
import { command, decisionsIn, routes } from './workflow-sdk.mjs';

const AT_ONCE = 32;

/**
 * A run of one step in PostgreSQL, whose jobs call this process over HTTP, as many at once as decisions are made.
 * @param {{ ask: (body: string) => Promise<string>, body: string, folder: string, postgresUrl: string }} given
 */
export async function start({ ask, body, folder, postgresUrl }) {
  const connectionString = postgresUrl.replace(/\?.*/, '');
  const env = { ...process.env, WORKFLOW_POSTGRES_URL: connectionString };
  await command('@workflow/world-postgres/bin/setup.js', [], { env });
  const world = createWorld({ connectionString, queueConcurrency: AT_ONCE, maxPoolSize: AT_ONCE + 2 });
  setWorld(world);
  const { flow, step, workflowId } = await routes(folder);
  const server = await served({ flow, step });
  process.env.PORT = String(server.address().port);
  await world.start();
  return {
    decide: await decisionsIn(world, { ask, body, workflowId }),
    async close() {
      await world.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The routes on a socket. */
async function served(routesOf) {
  const server = createServer((incoming, response) => {
    serve(routesOf, incoming, response).catch((error) => response.destroy(error));
  });
  await once(server.listen(0, 'localhost'), 'listening');
  return server;
}

async function serve({ flow, step }, incoming, response) {
  const { url, method, headers } = incoming;
  const body = await buffer(incoming);
  const request = new Request(`http://127.0.0.1${url}`, {
    method,
    headers,
    ...(body.length > 0 && { body }),
  });
  const answer = await (url.startsWith('/.well-known/workflow/v1/step') ? step : flow)(request);
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(Buffer.from(await answer.arrayBuffer()));
}
