import { afterAll, beforeAll } from '@jest/globals';
import { postgresParts } from '../testing/postgres-parts.js';
import { PostgresServer } from '../testing/postgres-server.js';
import { describeReadLoopContract } from '../testing/read-loop.contract.js';

let server: PostgresServer;
beforeAll(async () => {
  server = await PostgresServer.start();
});
afterAll(() => server.stop());

describeReadLoopContract('PostgreSQL', () => postgresParts(server), 5);
