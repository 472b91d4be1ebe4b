import type { NextFunction, Request, Response } from 'express';

const PREFIX = /^(?:\/[\w.~-]+){0,16}\/?$/;

/**
 * The path below which a client finds this server, with a slash at its end. A proxy that removes the path names it in `X-Forwarded-Prefix`;
 * a header that is no path is ignored.
 */
export function prefixOf(request: Pick<Request, 'get'>, basePath: string): string {
  const forwarded = request.get('x-forwarded-prefix');
  const path = forwarded !== undefined && PREFIX.test(forwarded) ? forwarded : basePath;
  return path.endsWith('/') ? path : `${path}/`;
}

/**
 * Middleware that removes the base path from the address of a request. A request without it is served as well: a proxy may have removed it.
 */
export function belowBasePath(basePath: string) {
  const base = basePath.replace(/\/$/, '');
  return (request: Request, _response: Response, next: NextFunction): void => {
    const rest = request.url.startsWith(base) ? request.url.slice(base.length) : undefined;
    if (base !== '' && rest !== undefined && /^(?:[/?]|$)/.test(rest))
      request.url = rest.startsWith('/') ? rest : `/${rest}`;
    next();
  };
}
