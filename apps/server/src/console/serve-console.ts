import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { statusProblem } from '../problems/framework-problem.js';
import { ProblemError } from '../problems/problem-error.js';
import { prefixOf } from './base-path.js';

/** The build of apps/console, in the package. */
const FOLDER = fileURLToPath(new URL('dist/console/', import.meta.resolve('#package')));
const YEAR_MS = 365 * 24 * 3_600_000;

/** The pages of the console, whose code finds their content. All other paths are the API's. */
export const PAGES_OF_ITEMS = [
  'sessions',
  'runs',
  'conversations',
  'calls',
  'tasks',
  'machines',
  'experiments',
  'experiments',
] as const;
export const PAGES_OF_LISTS = [...PAGES_OF_ITEMS, 'compare', 'models', 'system'] as const;
const PAGES = new RegExp(`^/(?:(?:${PAGES_OF_ITEMS.join('|')})/[^/]+|${PAGES_OF_LISTS.join('|')})?/?$`);

/** Everything comes from this server, and no code or style is inline. */
const POLICY = [
  "default-src 'self'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "img-src 'self' data:",
  "object-src 'none'",
].join('; ');

const HEADERS = {
  'Content-Security-Policy': POLICY,
  'X-Frame-Options': 'DENY',
  // Its assets have names that change with their content.
  'Cache-Control': 'no-cache',
  Vary: 'Accept, X-Forwarded-Prefix',
};

/**
 * Serves the console to callers that ask for HTML, before tokens are checked: it holds no data, and calls the API with the token that a
 * person enters. A build without the console serves the API alone.
 * @param basePath the path for clients, unless a proxy names another one
 */
export function serveConsole(app: NestExpressApplication, basePath: string, folder = FOLDER): void {
  const file = join(folder, 'index.html');
  if (!existsSync(file)) return;
  const page = readFileSync(file, 'utf8');
  const assets = { prefix: '/assets/', index: false, redirect: false, immutable: true, maxAge: YEAR_MS };
  app.useStaticAssets(join(folder, 'assets'), assets);
  app.use('/assets', (_request: Request, _response: Response, next: NextFunction) =>
    next(new ProblemError(statusProblem(404))),
  );
  app.use((request: Request, response: Response, next: NextFunction) => {
    if (!isForPage(request)) return next();
    const base = prefixOf(request, basePath);
    response
      .set(HEADERS)
      .type('html')
      .send(page.replace('<base href="/"', `<base href="${base}"`));
  });
}

function isForPage(request: Request): boolean {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  return isRead && PAGES.test(request.path) && request.accepts(['json', 'html']) === 'html';
}
