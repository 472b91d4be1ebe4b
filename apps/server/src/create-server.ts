import helmet from 'helmet';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import {
  EngineSettings,
  type Environment,
  operations,
  optionsFrom,
  redactorOf,
  type RedialOptions,
  withOptions,
} from '#lib/engine';
import { withPatience } from '#lib/event-store';
import { Access } from '#lib/operations/core';
import { belowBasePath } from './console/base-path.js';
import { serveConsole } from './console/serve-console.js';
import { serveDocs } from './docs/serve-docs.js';
import { HttpAdapter } from './http-adapter.js';
import { releaseConnections, Stopping } from './lifecycle.js';
import { checkListenAddress } from './listen-address.js';
import { observeAnswers } from './logging/observe-answers.js';
import { ServerLogger } from './logging/server-logger.js';
import { Metrics } from './metrics/metrics.js';
import { ProblemFilter } from './problems/problem.filter.js';
import { BODY_LIMIT, noBodyIsNone, onlyJson, onlyUtf8, storableNumbers } from './requests/json-bodies.js';
import { admitCallers } from './security/admit-callers.js';
import { refuseForeign } from './security/refuse-foreign.js';
import { otlpTraces } from './telemetry/otlp-traces.js';
import { ServerModule } from './server.module.js';

/**
 * The server, with everything but its socket: `listen` it. Middleware stands in the order in which it is passed: what is
 * refused early has cost nothing.
 * @param options what an application sets itself, above the environment
 * @throws RedialError when it cannot start
 */
export async function createServer(
  environment: Environment,
  options: RedialOptions = {},
): Promise<NestExpressApplication> {
  checkListenAddress(environment);
  const traces = await otlpTraces(process.env);
  const module = ServerModule.with(engineOptions(environment, { ...(traces && { traces }), ...options }));
  const logger = new ServerLogger(environment.LOG_LEVEL, redactorOf(process.env));
  const app = await NestFactory.create<NestExpressApplication>(module, new HttpAdapter(), {
    abortOnError: false,
    bodyParser: false,
    rawBody: true,
    logger,
  });
  const { redactor } = app.get(EngineSettings);
  logger.secrets = redactor;
  app.use(releaseConnections(app.getHttpServer(), app.get(Stopping).signal));
  app.use(observeAnswers(app.get(Metrics)), securityHeaders());
  app.use(belowBasePath(environment.REDIAL_BASE_PATH));
  app.use(refuseForeign(environment.REDIAL_API_TOKEN !== undefined));
  if (environment.REDIAL_CONSOLE === 'on') serveConsole(app, environment.REDIAL_BASE_PATH);
  app.use(admitCallers(app.get(Access), operations));
  app.use(onlyJson);
  app.useBodyParser('json', { limit: BODY_LIMIT, strict: false });
  app.use(onlyUtf8, noBodyIsNone, storableNumbers);
  // After what reads the body, which would lose it. A caller waits: a store has less time than in the background.
  app.use((_request: unknown, _response: unknown, next: () => void) =>
    withPatience(environment.REDIAL_REQUEST_PATIENCE_MS, next),
  );
  app.useGlobalFilters(new ProblemFilter(redactor));
  serveDocs(app);
  return app;
}

/** The server's token also makes the tokens of human specialists. */
function engineOptions(environment: Environment, options: RedialOptions): RedialOptions {
  const { REDIAL_API_TOKEN: token } = environment;
  return {
    ...(token !== undefined && { apiToken: token }),
    ...withOptions(optionsFrom(environment, process.env), options),
  };
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
