import type { IncomingMessage } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import type { Access, Credentials, Role } from '#lib/operations/core';
import type { Operation } from '#lib/operations';
import { patternOf } from '../problems/other-methods.js';

/** The session that a call is about. */
const SESSION = /^\/v1\/sessions\/([^/]+)/;
const OPEN = /^\/health(?:\/|$)/;
const DOCS = /^\/(?:docs(?:\/|$)|openapi\.json$)/;

/** Pages that a browser opens directly: it can send a token only as the password of its own form. */
export function isOfDocs({ path }: Pick<Request, 'path'>): boolean {
  return DOCS.test(path);
}

/** Middleware that refuses callers without the rights for their call; /health/* stays open. */
export function admitCallers(access: Access, operations: readonly Operation[]) {
  // The dispatcher checks again, with the declaration of the operation; lines are read before that, one body at a time.
  const declared = operations.map(({ method, path, lines, access: role }) => ({
    method,
    pattern: patternOf(path),
    role: lines === undefined ? ('viewer' as const) : role,
  }));
  const roleFor = ({ method, path }: Request): Role => {
    const found = declared.find((one) => one.method === method && one.pattern.test(path));
    if (found) return found.role;
    if (['GET', 'HEAD', 'OPTIONS'].includes(method)) return 'viewer';
    return 'operator';
  };
  return async (request: Request, _response: Response, next: NextFunction): Promise<void> => {
    if (!OPEN.test(request.path))
      await access.admit(
        { id: request.path, access: roleFor(request) },
        {
          credentials: isOfDocs(request) ? credentialsOfPage(request) : credentialsOf(request),
          sessionId: SESSION.exec(request.path)?.[1],
        },
      );
    next();
  };
}

/** The credentials in a request, or those of a browser's form: the password is the token, with any user. */
function credentialsOfPage(request: IncomingMessage): Credentials {
  const [, encoded] = /^Basic +(\S+) *$/i.exec(request.headers.authorization ?? '') ?? [];
  if (encoded === undefined) return credentialsOf(request);
  const [, ...password] = Buffer.from(encoded, 'base64').toString().split(':');
  return { bearer: password.join(':') };
}

/** The credentials in a request. */
export function credentialsOf({ headers }: IncomingMessage): Credentials {
  const [, bearer] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
  const { 'redial-actor-token': actorToken } = headers;
  return { ...(bearer !== undefined && { bearer }), ...(typeof actorToken === 'string' && { actorToken }) };
}
