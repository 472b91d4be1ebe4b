import type { ModulesContainer } from '@nestjs/core';

/** The providers of an application, each once, as they are when it has started. */
export function instancesIn(modules: ModulesContainer): readonly object[] {
  const wrappers = [...modules.values()].flatMap(({ providers }) => [...providers.values()]);
  const instances = wrappers.flatMap(({ instance }: { instance?: unknown }) =>
    typeof instance === 'object' && instance !== null ? [instance] : [],
  );
  return [...new Set(instances)];
}
