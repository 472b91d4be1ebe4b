import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost, ModuleRef } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Application, NextFunction, Request, RequestHandler, Response } from 'express';
import { EngineSettings } from '#lib/engine';
import { loadPart, RedialError } from '#lib/kernel';
import { Access } from '#lib/operations';
import { ProblemFilter } from '../problems/problem.filter.js';
import { readBodies } from '../requests/json-bodies.js';
import { fieldOfLines } from '../requests/line-bodies.js';
import type { InnerServer } from './inner-server.js';
import { OPTIONS, type RedialHttpOptions } from './mounted-options.js';
import { ALL_OF_V1 } from './mounted-routes.js';

/** The API cannot be mounted in this application. Stops the start. */
class CannotMount extends RedialError {}

/** A server without a socket, over the engine of the application, whose routes lead to it. */
@Injectable()
export class MountedServer implements OnApplicationBootstrap, OnModuleDestroy {
  #inner: InnerServer | undefined;

  constructor(
    @Inject(OPTIONS) private readonly options: RedialHttpOptions,
    private readonly adapters: HttpAdapterHost,
    private readonly parts: ModuleRef,
  ) {
    // The application adds its own parser of bodies at its start, after all providers are made: a body that is read here is not read there.
    adapters.init$.subscribe(() => this.#express?.use(this.#readsBody()));
  }

  async onApplicationBootstrap(): Promise<void> {
    const { httpAdapter } = this.adapters;
    if (!httpAdapter?.getType()) return;
    if (!this.#express) throw cannotMount('it runs on another framework than Express', 'Use ExpressAdapter');
    const hasToken = this.#askForToken();
    const { startInner } = await loadPart('the HTTP server', () => import('./inner-server.js'));
    const { console = false } = this.options;
    this.#inner = await startInner(this.parts, { basePath: this.#basePath(), console, hasToken });
  }

  async onModuleDestroy(): Promise<void> {
    await this.#inner?.close();
  }

  serve(request: Request, response: Response, next: NextFunction): void {
    if (this.#inner) this.#inner.serve(request, response, next);
    else next();
  }

  get #express(): ExpressAdapter | undefined {
    const { httpAdapter } = this.adapters;
    return httpAdapter?.getType() === 'express' ? (httpAdapter as ExpressAdapter) : undefined;
  }

  /** Bodies have the limits and checks of a server of its own, with any parser of the application. */
  #readsBody(): RequestHandler {
    const reader = new ExpressAdapter();
    readBodies(reader);
    const read = reader.getInstance<Application>();
    return (request, response, next) => {
      // Bodies of lines are read once their callers are admitted.
      if (!this.#inner?.takesBody(request.path) || fieldOfLines(request) !== undefined) return next();
      read(request, response, (error?: unknown) => {
        if (error === undefined) return next();
        const { redactor } = this.parts.get(EngineSettings, { strict: false });
        new ProblemFilter(redactor).answer(reader.mapException(error), request, response);
      });
    };
  }

  /** @returns whether a token is set */
  #askForToken(): boolean {
    const settings = this.#partOf(EngineSettings);
    const { apiToken = settings.apiToken } = this.options;
    if (apiToken === undefined) return false;
    if (settings.apiToken !== undefined && settings.apiToken !== apiToken)
      throw cannotMount('RedialModule has another apiToken', 'Leave one of them out');
    if (!/^[\x21-\x7e]+$/.test(apiToken))
      throw cannotMount('its apiToken is no text of printable characters', 'Correct or leave it out');
    settings.redactor.learn([apiToken]);
    this.#partOf(Access).askFor(apiToken);
    return true;
  }

  #partOf<Part>(part: abstract new (...args: never[]) => Part): Part {
    try {
      return this.parts.get<Part>(part, { strict: false });
    } catch {
      throw cannotMount('the application has no engine', 'Import RedialModule.forRoot() in its root module');
    }
  }

  /** The text before the route that only the API has: the prefix of the application, and the path of the module. */
  #basePath(): string {
    const { stack } = (this.#express as ExpressAdapter).getInstance<Application>().router;
    const paths = stack.flatMap(({ route }) => route?.path ?? []);
    const own = paths.find((path: unknown) => typeof path === 'string' && path.endsWith(`/${ALL_OF_V1}`));
    if (own === undefined)
      throw cannotMount('its router has other routes than Nest made', 'Use ExpressAdapter as it is');
    return own.slice(0, -ALL_OF_V1.length);
  }
}

function cannotMount(why: string, fix: string): CannotMount {
  return new CannotMount('the API cannot be mounted in this application', why, fix);
}
