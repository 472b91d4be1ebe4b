import {
  All,
  Controller,
  type DynamicModule,
  Inject,
  Module,
  Next,
  Req,
  Res,
  type Type,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { OPTIONS, type RedialHttpOptions } from './mounted-options.js';
import { routesBelow } from './mounted-routes.js';
import { MountedServer } from './mounted-server.js';

/**
 * Mounts the HTTP API, health and console of the engine of `RedialModule` in the same application, on Express. The global prefix, guards
 * and interceptors of the application apply; its pipes and filters do not: answers are those of a server of its own.
 */
@Module({})
export class RedialHttpModule {
  static forRoot(options: RedialHttpOptions = {}): DynamicModule {
    const { path = '/', console = false } = options;
    return {
      module: RedialHttpModule,
      controllers: [controllerAt(path, routesBelow(path, console))],
      providers: [{ provide: OPTIONS, useValue: options }, MountedServer],
    };
  }
}

function controllerAt(path: string, routes: readonly string[]): Type {
  @Controller({ path, version: VERSION_NEUTRAL })
  class MountedController {
    constructor(@Inject(MountedServer) private readonly server: MountedServer) {}

    @All([...routes])
    serve(@Req() request: Request, @Res() response: Response, @Next() next: NextFunction): void {
      this.server.serve(request, response, next);
    }
  }
  return MountedController;
}
