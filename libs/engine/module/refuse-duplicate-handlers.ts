import type { Type } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';
import { RedialError } from '#lib/kernel';
import { HANDLED } from '#lib/operations/core';
import { EngineSettings } from '../settings/engine-settings.js';

/** A command or query has two handlers, and it is undefined which one answers. Stops the start. */
export class DuplicateHandler extends RedialError {}

/** An application has two engines, and `Redial` could be either of them. Stops the start. */
class DuplicateEngine extends RedialError {}

/** @throws DuplicateEngine */
export function refuseSecondEngine(modules: ModulesContainer): void {
  const engines = [...modules.values()].filter(({ providers }) => providers.has(EngineSettings)).length;
  if (engines === 1) return;
  const fix = 'Import it once, in the root module: Redial can be injected in every module';
  throw new DuplicateEngine('RedialModule', `the application imports it ${engines} times`, fix);
}

/** @throws DuplicateHandler */
export function refuseDuplicateHandlers(modules: ModulesContainer): void {
  const handlers = new Map<unknown, Type>();
  for (const handler of providerClasses(modules)) {
    const handled = HANDLED.map((key) => Reflect.getMetadata(key, handler) as Type | undefined).find(Boolean);
    const other = handled && handlers.get(handled);
    if (handled && other && other !== handler) throw duplicate(handled, handler, other);
    if (handled) handlers.set(handled, handler);
  }
}

function* providerClasses(modules: ModulesContainer): Generator<Type> {
  for (const module of modules.values()) {
    for (const { metatype } of module.providers.values()) {
      if (typeof metatype === 'function') yield metatype as Type;
    }
  }
}

function duplicate(handled: Type, one: Type, other: Type): DuplicateHandler {
  const why = `${one.name} and ${other.name} both handle it`;
  return new DuplicateHandler(handled.name, why, 'Leave one of them out of the modules');
}
