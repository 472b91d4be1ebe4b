import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import {
  EngineSettings,
  type Environment,
  optionsFrom,
  redactorOf,
  RedialModule,
  type RedialOptions,
  withOptions,
} from '#lib/engine';
import { equipped } from './equipped.js';
import { HttpAdapter } from './http-adapter.js';
import { releaseConnections, Stopping } from './lifecycle.js';
import { checkListenAddress } from './listen-address.js';
import { ServerLogger } from './logging/server-logger.js';
import { otlpTraces } from './telemetry/otlp-traces.js';
import { ServerModule } from './server.module.js';

/**
 * The server, complete except for its socket: `listen` it.
 * @param options of the application; they override the environment
 * @throws RedialError when it cannot start
 */
export async function createServer(
  environment: Environment,
  options: RedialOptions = {},
): Promise<NestExpressApplication> {
  checkListenAddress(environment);
  const traces = await otlpTraces(process.env);
  const base = optionsFrom(environment, process.env);
  const settings = withOptions(base, { ...(traces && { traces }), ...options });
  const logger = new ServerLogger(environment.LOG_LEVEL, redactorOf(process.env));
  const app = await NestFactory.create<NestExpressApplication>(
    ServerModule.over(RedialModule.forRoot(settings)),
    new HttpAdapter(),
    { abortOnError: false, bodyParser: false, rawBody: true, logger },
  );
  logger.secrets = app.get(EngineSettings).redactor;
  app.use(releaseConnections(app.getHttpServer(), app.get(Stopping).signal));
  return equipped(app, {
    basePath: environment.REDIAL_BASE_PATH,
    console: environment.REDIAL_CONSOLE === 'on',
    hasToken: environment.REDIAL_API_TOKEN !== undefined,
    patienceMs: environment.REDIAL_REQUEST_PATIENCE_MS,
  });
}
