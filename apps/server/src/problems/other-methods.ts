import type { NextFunction, Request, Response } from 'express';
import { httpProblem } from '#lib/engine/core';
import { explain } from '#lib/kernel';
import { ProblemError } from './problem-error.js';

/** Comes after all routes: a path with other methods is answered with their names in `Allow`, OPTIONS with that alone. */
export function nameOtherMethods(request: Request, response: Response, next: NextFunction): void {
  const methods = methodsAt(request);
  if (methods.length === 0) return next();
  const allow = methods.join(', ');
  if (request.method === 'OPTIONS') return void response.setHeader('Allow', allow).status(204).end();
  const detail = explain('MethodNotAllowed', request.method, 'this path has other methods', `Use ${allow}`);
  next(new ProblemError(httpProblem(405, 'method-not-allowed', detail), { Allow: allow }));
}

function methodsAt({ app, path }: Request): readonly string[] {
  const routes = app.router.stack.flatMap(({ route }) =>
    route && patternOf(route.path).test(path) ? [route] : [],
  );
  const declared = routes.flatMap(({ stack }) => stack.map(({ method }) => method.toUpperCase()));
  if (declared.length === 0) return [];
  const implied = declared.includes('GET') ? ['HEAD', 'OPTIONS'] : ['OPTIONS'];
  return [...new Set([...declared, ...implied])].toSorted();
}

/** The paths that a route takes, as Express compares them. @param route words and `:names` */
export function patternOf(route: string): RegExp {
  return new RegExp(`^${route.replaceAll(/:\w+/g, '[^/]+')}/?$`, 'i');
}
