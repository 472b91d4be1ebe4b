import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';
import type { ExpressAdapter, NestExpressApplication } from '@nestjs/platform-express';
import { EngineSettings, operations } from '#lib/engine';
import { threadTurns, withPatience } from '#lib/event-store';
import { Access } from '#lib/operations/core';
import { belowBasePath } from './console/base-path.js';
import { serveConsole } from './console/serve-console.js';
import { serveDocs } from './docs/serve-docs.js';
import { observeAnswers } from './logging/observe-answers.js';
import { Metrics } from './metrics/metrics.js';
import { ProblemFilter } from './problems/problem.filter.js';
import { readBodies } from './requests/json-bodies.js';
import { admitCallers } from './security/admit-callers.js';
import { refuseForeign } from './security/refuse-foreign.js';

/** How `ServerModule` is served. */
export interface Served {
  /** The path below which clients find it. */
  readonly basePath: string;
  readonly console: boolean;
  /** Whether a token is asked for. */
  readonly hasToken: boolean;
  /** Milliseconds that a store may take to answer a request. */
  readonly patienceMs: number;
}

/** Adds the middleware before and after the routes, in the order of its calls: early refusals cost little. */
export function equipped(
  app: NestExpressApplication,
  { basePath, console, hasToken, patienceMs }: Served,
): NestExpressApplication {
  app.use(observeAnswers(app.get(Metrics)), securityHeaders());
  app.use(belowBasePath(basePath));
  app.use(refuseForeign(hasToken));
  if (console) serveConsole(app, basePath);
  app.use(admitCallers(app.get(Access), operations), readersFirst);
  readBodies(app.getHttpAdapter() as ExpressAdapter);
  // After the reading of the body, which would lose the patience. A caller waits: a store has less time than in the background.
  app.use((_request: unknown, _response: unknown, next: () => void) => withPatience(patienceMs, next));
  app.useGlobalFilters(new ProblemFilter(app.get(EngineSettings).redactor));
  serveDocs(app, basePath);
  return app;
}

/** Runs leave the thread to clients that read. A command usually waits for a run, and would wait longer. */
function readersFirst({ method }: Request, _response: Response, next: NextFunction): void {
  if (method === 'GET' || method === 'HEAD') threadTurns.readerCame();
  next();
}

/**
 * Helmet's headers. The page of the docs loads scripts and styles from here alone, so its policy is the strict one. Redial itself
 * speaks http: rewriting http to https and Strict-Transport-Security are for the proxy that adds TLS.
 */
function securityHeaders(): ReturnType<typeof helmet> {
  return helmet({
    strictTransportSecurity: false,
    contentSecurityPolicy: {
      directives: {
        'font-src': ["'self'"],
        'style-src': ["'self'", "'unsafe-inline'"],
        'upgrade-insecure-requests': null,
      },
    },
  });
}
