import type { NextFunction, Request, Response } from 'express';
import type { Metrics } from './metrics.js';

/** Middleware that measures each answer by its route: the pattern, never the path with its ids. */
export function measureRequests(metrics: Metrics) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const start = performance.now();
    response.once('close', () => {
      const route = (request.route as { readonly path?: unknown } | undefined)?.path;
      const pattern = typeof route === 'string' ? route : 'none';
      metrics.answered(request.method, pattern, response.statusCode, (performance.now() - start) / 1000);
    });
    next();
  };
}
