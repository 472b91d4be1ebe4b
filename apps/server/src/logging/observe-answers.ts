import { Logger } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import type { Metrics } from '../metrics/metrics.js';

/**
 * Middleware that measures each answer by its route (the pattern, never the path with its ids), and logs it at debug level: method,
 * path, status, time; never headers, queries or bodies.
 */
export function observeAnswers(metrics: Metrics) {
  const logger = new Logger('Http');
  return (request: Request, response: Response, next: NextFunction): void => {
    const start = performance.now();
    const { method, path } = request;
    response.once('close', () => {
      const ms = performance.now() - start;
      const { statusCode } = response;
      const route = (request.route as { readonly path?: unknown } | undefined)?.path;
      metrics.answered(method, typeof route === 'string' ? route : 'none', statusCode, ms / 1000);
      logger.debug(`${method} ${path} ${statusCode} ${Math.round(ms)} ms`);
    });
    next();
  };
}
