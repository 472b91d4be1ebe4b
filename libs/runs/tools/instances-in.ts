import type { ModulesContainer } from '@nestjs/core';

/** The providers of an application once it has started, each once. */
export function instancesIn(modules: ModulesContainer): readonly object[] {
  const wrappers = [...modules.values()].flatMap(({ providers }) => [...providers.values()]);
  const instances = wrappers.flatMap(({ instance }: { instance?: unknown }) =>
    typeof instance === 'object' && instance !== null ? [instance] : [],
  );
  return [...new Set(instances)];
}
