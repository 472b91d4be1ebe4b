import type { IncomingMessage } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import type { Access, Actor, Credentials, Operation, Role } from '#lib/operations';

const OPEN = /^\/health(?:\/|$)/;

/** Routes by hand that are no GET and need less than an operator. */
const NEEDS: readonly (readonly [path: RegExp, role: Role])[] = [
  [/^\/v1\/sessions\/[^/]+\/replay\/?$/i, 'viewer'],
  [/^\/v1\/sessions\/[^/]+\/(?:proposals|arbitrations)\/?$/i, 'reviewer'],
];

const ACTOR = 'actor';

/** The caller that the middleware admitted. */
export function actorOf({ res }: Request): Actor {
  return res?.locals[ACTOR] as Actor;
}

/** Middleware that lets only callers pass who may make their call; /health/* stays open. */
export function admitCallers(access: Access, operations: readonly Operation[]) {
  const declared = operations.map(({ method, path }) => ({ method, pattern: patternOf(path) }));
  const roleFor = ({ method, path }: Request): Role => {
    // The dispatcher asks again, with what the operation declares.
    if (declared.some((one) => one.method === method && one.pattern.test(path))) return 'viewer';
    if (['GET', 'HEAD', 'OPTIONS'].includes(method)) return 'viewer';
    return NEEDS.find(([pattern]) => pattern.test(path))?.[1] ?? 'operator';
  };
  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    if (!OPEN.test(request.path)) {
      const call = { id: request.path, access: roleFor(request) };
      response.locals[ACTOR] = await access.admit(call, credentialsOf(request));
    }
    next();
  };
}

/** What a request shows of its caller. */
export function credentialsOf({ headers }: IncomingMessage): Credentials {
  const [, bearer] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
  const { 'redial-actor-token': actorToken } = headers;
  return { ...(bearer !== undefined && { bearer }), ...(typeof actorToken === 'string' && { actorToken }) };
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}/?$`, 'i');
}
