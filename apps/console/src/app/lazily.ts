import { lazyRouteComponent } from '@tanstack/react-router';
import { type ComponentType, lazy, type LazyExoticComponent } from 'react';
import { RedialProblem } from '#lib/client';
import { server } from '../data/server.js';

const AGAIN_MS = 1_000;

/** A page of the module, which is loaded when it is first opened. */
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(() => whenReached(load), name);

/** A part of a page, which is loaded when it is first shown. */
export function lazyPart<Props>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(() => whenReached(load));
}

/**
 * Loads a module. While the server cannot be reached, it waits: a page that is opened then is shown once the server is back.
 * @throws the error of the import if the server answers: it may serve a newer console, without this file
 */
async function whenReached<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch {
    while (!(await isReached())) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    return load();
  }
}

/** Whether the server answers, also with a refusal; a proxy in front of it answers for one that is away. */
async function isReached(): Promise<boolean> {
  try {
    await server().getPrincipal();
    return true;
  } catch (error) {
    return error instanceof RedialProblem && error.status < 500;
  }
}
