import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeOnEachEngine } from '../support/places/describe-on-engines.js';
import type { Place } from '../support/places/place.js';
import { RedialServer } from '../support/redial-server.js';
import { reviewedRefunds } from '../support/reviewed-refunds.js';

const MARKER = 'marker-4711-of-ann';
const environment = { REDIAL_MASTER_KEY: randomBytes(32).toString('base64') };

describeOnEachEngine('a subject that another process erases', (emptyPlace) => {
  let place: Place;
  let servers: RedialServer[] = [];

  beforeAll(async () => {
    place = await emptyPlace(true);
    for (let n = 0; n < 2; n++) servers.push(await RedialServer.start({ place, environment }));
  });
  afterAll(async () => {
    for (const server of servers.splice(0)) await server.stop();
  });

  it('is gone in this one, too, although it still had the key: nothing stands still, and rows have no content, whichever of them fills these', async () => {
    const [holding, erasing] = servers as [RedialServer, RedialServer];
    await holding.post('/v1/machines', reviewedRefunds);
    for (const subject of ['ann', 'bob', 'cy', 'dan']) {
      const given = { machineName: 'refunds', metaJson: { note: MARKER }, subject };
      const { body: made } = await holding.post('/v1/sessions', given);
      expect((await erasing.post(`/v1/subjects/${subject}/erase`)).status).toBe(200);
      const { status, body } = await holding.get(`/v1/sessions/${made.sessionId}`);
      expect([status, body]).toMatchObject([200, { erased: true, status: 'closed' }]);
      const projections = (await holding.get('/v1/projections')).text;
      expect(projections).not.toContain('error');
    }
    expect((await holding.get('/v1/sessions')).text).not.toContain(MARKER);
    await Promise.all(servers.splice(0).map((server) => server.stop()));
    const files = place.dataDir === undefined ? [] : readdirSync(place.dataDir);
    const inFile = (name: string) => readFileSync(join(place.dataDir ?? '', name)).includes(MARKER);
    expect(files.filter(inFile)).toEqual([]);
  });
});
