import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
import { Database } from '#lib/event-store-sqlite';
import { runCli } from '../../apps/cli/src/run-cli.js';
import { TextSink } from '../cli/command-line.js';
import { RedialServer } from '../support/redial-server.js';

const PAGE = 8192;
const SESSIONS = 50;

async function check(dataDir: string) {
  const [out, err] = [new TextSink(), new TextSink()];
  const code = await runCli(['log', 'check', '--data-dir', dataDir], {
    out,
    err,
    untilStopped: () => Promise.resolve(),
  });
  return { code, printed: `${out.text}${err.text}` };
}

/** A page that opening does not read: it reads the last events, by their positions. */
function firstLeafOfIndex(file: string): number {
  const db = new Database(file, { readonly: true });
  const pages = db.prepare<[], number>(
    "SELECT min(pageno) FROM dbstat WHERE name = 'events_by_stream' AND pagetype = 'leaf'",
  );
  const page = pages.pluck().get();
  db.close();
  if (page === undefined) throw new Error('The index has no leaf.');
  return page;
}

function change(file: string, events: string): void {
  const db = new Database(file);
  const triggers = db
    .prepare<[], { name: string; sql: string }>("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
    .all();
  for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`);
  db.exec(`UPDATE events SET ${events}`);
  for (const { sql } of triggers) db.exec(sql);
  db.close();
}

it('X-S10: a server on a log with a damaged page starts, is not ready and takes no appends; log check says why, also of an event that cannot be read', async () => {
  const place = { dataDir: temporaryFolder() };
  let server = await RedialServer.start({ place });
  const machine = {
    machineName: 'door',
    initialState: 'a',
    goalState: 'b',
    states: { a: { transitions: { go: 'b' } }, b: {} },
  };
  await server.post('/v1/machines', machine);
  for (let n = 0; n < SESSIONS; n++)
    await server.post('/v1/sessions', { machineName: 'door', metaJson: { text: 'x'.repeat(40_000) } });
  await server.stop();
  expect(await check(place.dataDir)).toEqual({ code: 0, printed: expect.stringContaining('no damage') });

  const file = join(place.dataDir, 'log.sqlite');
  change(file, "type = 'OfAnApplication' WHERE position = 3");
  expect(await check(place.dataDir)).toMatchObject({ code: 0 });
  change(file, 'data = substr(data, 2) WHERE position = 2');
  const noObject = /\[LogDamaged\].* revision 0: its data is not a JSON object/;
  expect(await check(place.dataDir)).toEqual({ code: 1, printed: expect.stringMatching(noObject) });
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(PAGE, 0xa5), 0, PAGE, (firstLeafOfIndex(file) - 1) * PAGE);
  closeSync(handle);
  expect(statSync(file).size).toBeGreaterThan(100 * PAGE);
  expect(await check(place.dataDir)).toEqual({ code: 1, printed: expect.stringContaining('[LogDamaged]') });
  server = await RedialServer.start({ place });
  let ready = await server.get('/health/ready');
  while (ready.status === 200) ready = await server.get('/health/ready');
  expect(ready.body).toMatchObject({ parts: [{ part: 'log' }] });
  expect((await server.post('/v1/sessions', { machineName: 'door' })).status).toBe(503);
  await server.stop();
});
