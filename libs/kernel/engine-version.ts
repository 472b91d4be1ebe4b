import { createRequire } from 'node:module';

/** The version of this package. */
export function engineVersion(): string {
  return (createRequire(import.meta.url)('#package') as { version: string }).version;
}
