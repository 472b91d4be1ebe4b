import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { API_TOKEN, RedialServer } from '../support/redial-server.js';

const HTML = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const FOLDER = join(import.meta.dirname, '../../dist/console');

describe('the console as files', () => {
  let server: RedialServer | undefined;
  afterEach(async () => {
    await server?.stop();
    server = undefined;
  });

  it('is served at its paths to callers that ask for HTML, and the API goes on answering all others', async () => {
    server = await RedialServer.start();
    for (const path of ['/', '/sessions', '/sessions/x', '/tasks/x?tab=a', '/machines/refunds', '/system']) {
      const page = await server.get(path, HTML);
      expect([path, page.status, page.type]).toEqual([path, 200, 'text/html']);
      expect((await server.get(path, { Accept: 'application/json' })).status).toBe(404);
    }
    expect((await server.get('/v1/sessions', HTML)).type).toBe('application/json');
    expect((await server.get('/nowhere', HTML)).status).toBe(404);
  });

  it('allows nothing inline and no frame, and answers 404 for an asset that is missing', async () => {
    server = await RedialServer.start();
    const { headers, text } = await server.get('/', HTML);
    expect(headers['content-security-policy']).toMatch(/^default-src 'self';.*frame-ancestors 'none'/);
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(text).not.toMatch(/<script(?![^>]*src=)|<style|style=|\son\w+=/);
    expect((await server.get('/assets/nothing.js')).status).toBe(404);
  });

  it('needs no token itself, and is off with REDIAL_CONSOLE=off', async () => {
    server = await RedialServer.start({ environment: { REDIAL_API_TOKEN: API_TOKEN } });
    expect((await server.get('/', HTML)).status).toBe(200);
    expect((await server.get('/assets/nothing.js')).status).toBe(404);
    expect((await server.get('/v1/sessions')).status).toBe(401);
    await server.stop();
    server = await RedialServer.start({ environment: { REDIAL_CONSOLE: 'off' } });
    expect((await server.get('/', HTML)).status).toBe(404);
  });

  it('lives below a base path, with the API, also behind a proxy that takes it away', async () => {
    server = await RedialServer.start({ environment: { REDIAL_BASE_PATH: '/desk' } });
    const page = await server.get('/desk/sessions', HTML);
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('<base href="/desk/"')]);
    expect((await server.get('/desk/v1/sessions')).status).toBe(200);
    expect((await server.get('/sessions', HTML)).text).toContain('<base href="/desk/"');
    const forwarded = await server.get('/', { ...HTML, 'X-Forwarded-Prefix': '/a/b' });
    expect(forwarded.text).toContain('<base href="/a/b/"');
    const hostile = await server.get('/', { ...HTML, 'X-Forwarded-Prefix': '//evil.example/"><script>' });
    expect(hostile.text).toContain('<base href="/desk/"');
  });

  it('has at most 220 kB, compressed, before the first view, and 1.5 MB in all', () => {
    const files = filesIn(FOLDER);
    const all = files.reduce((sum, file) => sum + statSync(file).size, 0);
    expect(all).toBeLessThan(1_500_000);
    const first = new Set(loadedWith(join(FOLDER, 'index.html'), [/overview-page/]));
    const compressed = [...first].reduce((sum, file) => sum + gzipSync(readFileSync(file)).length, 0);
    expect(compressed).toBeLessThan(220_000);
  });
});

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** A file, what it loads at once, and what it loads on demand under one of these names. */
function loadedWith(
  file: string,
  onDemand: readonly RegExp[],
  seen = new Set<string>(),
): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  const assets = readdirSync(join(FOLDER, 'assets'));
  const isHtml = file.endsWith('.html');
  for (const asset of assets) {
    const atOnce = isHtml
      ? text.includes(asset)
      : new RegExp(`from\\s*"\\./${asset}"|import"\\./${asset}"`).test(text);
    const later = text.includes(`import("./${asset}")`) && onDemand.some((name) => name.test(asset));
    if (atOnce || later) loadedWith(join(FOLDER, 'assets', asset), onDemand, seen);
  }
  return seen;
}
