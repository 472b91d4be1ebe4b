import { Logger } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';

/** Middleware that logs each answer at debug level: method, path, status, time. Never headers, queries or bodies. */
export function logRequests() {
  const logger = new Logger('Http');
  return (request: Request, response: Response, next: NextFunction): void => {
    const start = performance.now();
    const { method, path } = request;
    response.once('close', () => {
      logger.debug(`${method} ${path} ${response.statusCode} ${Math.round(performance.now() - start)} ms`);
    });
    next();
  };
}
