import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Body, Controller, type INestApplication, Module, Post, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Redial, RedialModule, type RedialOptions } from '#lib/engine';
import { RedialHttpModule, type RedialHttpOptions } from '../../apps/server/src/http.js';
import { ShopModule } from '../../examples/mounted.js';
import { door } from '../support/door.js';

@Controller('notes')
class Notes {
  @Post()
  keep(@Body() body: unknown): object {
    return { body };
  }
}

let app: INestApplication | undefined;

async function start(module: Type, prefix?: string): Promise<string> {
  app = await NestFactory.create(module, { logger: false, abortOnError: false });
  if (prefix !== undefined) app.setGlobalPrefix(prefix);
  await app.listen(0, '127.0.0.1');
  return `http://127.0.0.1:${(app.getHttpServer() as { address(): AddressInfo }).address().port}`;
}

function applicationWith(http: RedialHttpOptions, options: RedialOptions = {}): Type {
  @Module({
    imports: [RedialHttpModule.forRoot(http), RedialModule.forRoot({ storage: 'memory', ...options })],
    controllers: [Notes],
  })
  class Application {}
  return Application;
}

const json = { 'Content-Type': 'application/json' };
const post = (body: string, headers: object = {}) => {
  return { method: 'POST', body, headers: { ...json, ...headers } };
};

describe('0.2-O12: RedialHttpModule', () => {
  afterEach(async () => {
    await app?.close();
    app = undefined;
  });

  it('examples/mounted.ts: is below the prefix of the application and its path, behind the guards of the application', async () => {
    const url = await start(ShopModule, 'api');
    const admin = { Cookie: 'session=of-an-admin' };
    const get = async (path: string, headers: object = admin) =>
      fetch(`${url}${path}`, { headers: { ...headers } });
    for (const path of ['/v1/machines', '/health/live', '/redial/v1/machines', '/api/v1/machines'])
      expect((await get(path)).status).toBe(404);
    for (const path of ['/v1/machines', '/health/ready', '/openapi.json', '', '/nothing'])
      expect((await get(`/api/redial${path}`, {})).status).toBe(403);
    expect(await (await get('/api/orders')).json()).toEqual(['A1']);
    expect((await get('/api/redial/health/ready')).status).toBe(200);
    expect((await get('/api/redial/metrics')).status).toBe(200);
    expect((await get('/api/redial/docs/swagger-ui.css')).status).toBe(200);
    expect(await (await get('/api/redial/docs')).text()).toContain('src="/api/redial/docs/start.js"');
    expect(await (await get('/api/redial/openapi.json')).json()).toMatchObject({
      servers: [{ url: '/api/redial' }],
    });
    const defined = await fetch(`${url}/api/redial/v1/machines`, post(JSON.stringify(door), admin));
    expect(defined.status).toBe(201);
    const created = await fetch(
      `${url}/api/redial/v1/sessions`,
      post(JSON.stringify({ machineName: door.machineName }), admin),
    );
    expect(created.headers.get('redial-position')).toBeTruthy();
    const sameSite = post('{}', { ...admin, 'Sec-Fetch-Site': 'same-site' });
    expect((await fetch(`${url}/api/redial/v1/seals`, sameSite)).status).toBe(403);
    const { sessionId } = (await created.json()) as { readonly sessionId: string };
    expect(await app?.get(Redial).getSession({ sessionId })).toMatchObject({ status: 'open' });
    const unknown = await get('/api/redial/nothing');
    expect(unknown.headers.get('content-type')).toContain('application/problem+json');
    expect((await fetch(`${url}/api/redial/metrics`, { method: 'PUT', headers: admin })).status).toBe(405);
  });

  it('reads bodies as a server of its own does, and leaves those of the application to it', async () => {
    const url = await start(applicationWith({ path: '/redial' }));
    const at = `${url}/redial/v1/machines`;
    const description = 'x'.repeat(200_000);
    const machine = { ...door, description };
    expect([201, 400, 422]).toContain((await fetch(at, post(JSON.stringify(machine)))).status);
    const problemOf = async (body: string, headers = {}) => {
      const answer = await fetch(at, post(body, headers));
      const { code } = (await answer.json()) as { readonly code: string };
      return [answer.status, code];
    };
    expect(await problemOf('{')).toEqual([400, 'malformed-json']);
    expect(await problemOf(`"${'x'.repeat(1_100_000)}"`)).toEqual([413, 'body-too-large']);
    expect(await problemOf('a=1', { 'Content-Type': 'text/plain' })).toEqual([415, 'unsupported-media-type']);
    const kept = await fetch(`${url}/notes`, post('{"a":1}'));
    expect(await kept.json()).toEqual({ body: { a: 1 } });
    const refused = await fetch(`${url}/notes`, post('{'));
    expect(refused.headers.get('content-type')).not.toContain('problem');
  });

  it('stands at the root without a path, beside the routes of the application', async () => {
    const url = await start(applicationWith({}));
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
    expect((await fetch(`${url}/v1/machines`)).status).toBe(200);
    const text = { 'Content-Type': 'text/plain' };
    expect((await fetch(`${url}/notes`, post('a note', text))).status).toBe(201);
    const large = await fetch(`${url}/notes`, post(`["${'x'.repeat(2_000_000)}"]`));
    expect(large.headers.get('content-type')).not.toContain('problem');
    const other = await fetch(`${url}/sessions`, { headers: { Accept: 'text/html' } });
    expect(other.status).toBe(404);
  });

  it('asks for its token or that of RedialModule, and without one serves this host alone', async () => {
    const statusOf = async (url: string, headers: object = {}) =>
      (await fetch(`${url}/v1/machines`, { headers: { ...headers } })).status;
    const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
    for (const module of [
      applicationWith({ apiToken: 'a-token' }),
      applicationWith({}, { apiToken: 'a-token' }),
    ]) {
      const url = await start(module);
      expect(await statusOf(url)).toBe(401);
      expect(await statusOf(url, bearer('another'))).toBe(401);
      expect(await statusOf(url, bearer('a-token'))).toBe(200);
      await app?.close();
    }
    const url = await start(applicationWith({}));
    expect(await statusOf(url)).toBe(200);
    expect(await statusOf(url, { Origin: 'http://elsewhere.example' })).toBe(403);
  });

  it('says why an application does not start with it', async () => {
    const differing = applicationWith({ apiToken: 'one-token' }, { apiToken: 'another-token' });
    const refusing = [
      [differing, 'RedialModule has another apiToken'],
      [applicationWith({ apiToken: '' }), 'its apiToken is no text of printable characters'],
    ] as const;
    for (const [module, why] of refusing) {
      await expect(start(module)).rejects.toThrow(why);
      await app?.close();
    }
    expect(() => RedialHttpModule.forRoot({ path: 'a b' })).toThrow('[InvalidPath]');
    @Module({ imports: [RedialHttpModule.forRoot()] })
    class WithoutEngine {}
    await expect(start(WithoutEngine)).rejects.toThrow('the application has no engine');
  });

  it('ends open streams when the application closes', async () => {
    const url = await start(applicationWith({ path: '/redial' }));
    const stream = await fetch(`${url}/redial/v1/events/stream`);
    const read = stream.text();
    await app?.close();
    app = undefined;
    expect(await read).toBeDefined();
  });
});
