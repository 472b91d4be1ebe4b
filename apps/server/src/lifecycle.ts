import type { Server } from 'node:http';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';

/** Signals that the server begins to stop: streams end then, so that streams without an end do not delay the stop. */
@Injectable()
export class Stopping implements OnModuleDestroy {
  private readonly controller = new AbortController();

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  onModuleDestroy(): void {
    this.controller.abort();
  }
}

/** More than calls in flight have to finish (10 s): after that, open connections are closed. */
const PATIENCE_MS = 15_000;

/**
 * Middleware that closes kept-alive connections at a stop: Node closes those that are idle at its beginning, this middleware those that
 * become idle later, each after its answer.
 */
export function releaseConnections(server: Server, stopping: AbortSignal) {
  stopping.addEventListener('abort', () =>
    setTimeout(() => server.closeAllConnections(), PATIENCE_MS).unref(),
  );
  return (_request: Request, response: Response, next: NextFunction): void => {
    if (stopping.aborted) response.setHeader('Connection', 'close');
    response.once('close', () => {
      if (stopping.aborted) setImmediate(() => server.closeIdleConnections());
    });
    next();
  };
}
