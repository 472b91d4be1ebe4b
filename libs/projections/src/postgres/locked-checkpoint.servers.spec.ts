import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { machinesProjection } from '../machines/machines.projection.js';
import { CheckpointMoves } from '../runner/checkpoint-moves.js';
import { prepareProjections } from '../runner/checkpoints.js';
import { sessionsProjection } from '../sessions/sessions.projection.js';
import { specialistsProjection } from '../specialists/specialists.projection.js';
import { PostgresServer } from '../testing/postgres-server.js';
import { openPostgresReadStore } from './open-postgres-read-store.js';

const three = [machinesProjection, specialistsProjection, sessionsProjection];

let server: PostgresServer;
beforeAll(async () => {
  server = await PostgresServer.start();
});
afterAll(() => server.stop());

it('holds up no other projection while a rebuild elsewhere has a checkpoint locked', async () => {
  const place = await server.emptyPlace();
  const store = await openPostgresReadStore(place);
  await store.write(prepareProjections(three));
  const elsewhere = new Client({ connectionString: place });
  await elsewhere.connect();
  await elsewhere.query("begin; update checkpoints set rebuilding_until = 'x' where name = 'sessions'");

  const moves = new CheckpointMoves(store);
  const [machines, specialists, sessions] = three.map((projection) => moves.move(projection, '', 'log.1'));
  expect(await Promise.all([machines, specialists])).toEqual([true, true]);
  await elsewhere.query('commit');
  expect(await sessions).toBe(true);
  await elsewhere.end();
  await store.close();
});
