import { type DynamicModule, Module } from '@nestjs/common';
import { type ModuleRef, NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Application, RequestHandler } from 'express';
import { engineParts } from '#lib/engine';
import { REQUEST_PATIENCE_MS } from '#lib/engine/core';
import { equipped, type Served } from '../equipped.js';
import { HttpAdapter } from '../http-adapter.js';
import { onlyOwnPages, onlyThisHost } from '../security/refuse-foreign.js';
import { ServerModule } from '../server.module.js';

/** A server without a socket. */
export interface InnerServer {
  readonly serve: RequestHandler;
  /** Whether it reads the bodies of requests of this path. */
  takesBody(path: string): boolean;
  close(): Promise<void>;
}

@Module({})
class EngineOfApplication {}

/** @param parts of the application, which include the engine */
export async function startInner(parts: ModuleRef, served: Omit<Served, 'patienceMs'>): Promise<InnerServer> {
  const app = await NestFactory.create<NestExpressApplication>(
    ServerModule.over(engineIn(parts)),
    new HttpAdapter(),
    { abortOnError: false, bodyParser: false, rawBody: true },
  );
  app.use(served.hasToken ? onlyOwnPages : onlyThisHost);
  await equipped(app, { ...served, patienceMs: REQUEST_PATIENCE_MS }).init();
  const base = served.basePath.replace(/\/$/, '');
  return {
    serve: app.getHttpAdapter().getInstance() as Application,
    takesBody: (path) => path.startsWith(`${base}/v1/`),
    close: () => app.close(),
  };
}

/** The parts of a running engine as a module: the application that made the engine starts and stops it. */
function engineIn(parts: ModuleRef): DynamicModule {
  return {
    module: EngineOfApplication,
    global: true,
    providers: engineParts.map((provide) => ({
      provide,
      useValue: parts.get<unknown>(provide, { strict: false }),
    })),
    exports: [...engineParts],
  };
}
