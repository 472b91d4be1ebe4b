import { createRequire } from 'node:module';
import { RedialError } from './redial-error.js';

/** The packages of each part that an application installs itself: optional peer dependencies. `package.json` has their versions. */
export const optionalParts = {
  EventStoreDB: ['@eventstore/db-client'],
  PostgreSQL: ['pg'],
  MCP: ['@modelcontextprotocol/sdk', 'zod'],
  OpenTelemetry: [
    '@opentelemetry/api',
    '@opentelemetry/exporter-trace-otlp-http',
    '@opentelemetry/exporter-trace-otlp-proto',
    '@opentelemetry/resources',
  ],
  code: ['quickjs-emscripten-core', '@jitl/quickjs-ng-wasmfile-release-sync', 'sucrase', 'acorn'],
  'the HTTP server': ['helmet', 'prom-client', 'swagger-ui-dist'],
} as const;

/** A part was used whose packages are not installed. */
export class PackageMissing extends RedialError {}

/** Loads a part when it is used for the first time. @throws PackageMissing with the command that installs its packages */
export async function loadPart<Loaded>(
  part: keyof typeof optionalParts,
  load: () => Promise<Loaded>,
): Promise<Loaded> {
  try {
    return await load();
  } catch (error) {
    const name = missingPackage(error);
    const needed: readonly string[] = optionalParts[part];
    if (name === undefined || !needed.includes(name)) throw error;
    const fix = `Install what it needs: npm i ${needed.map(withVersion).join(' ')}`;
    throw new PackageMissing(`cannot use ${part}`, `the package ${name} is not installed`, fix, {
      cause: error,
    });
  }
}

/** The package name, with or without a scope, in Node's `Cannot find package '…' imported from …`. */
function missingPackage(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_MODULE_NOT_FOUND')
    return undefined;
  return /^Cannot find package '((?:@[^/']+\/)?[^/']+)/.exec(error.message)?.[1];
}

/** The name with its tested version: `pg@8`, `sucrase@3`, `quickjs-emscripten-core@0.32`. */
function withVersion(name: string): string {
  const { peerDependencies } = createRequire(import.meta.url)('#package') as {
    readonly peerDependencies: { readonly [name: string]: string };
  };
  return `${name}@${/(?:0\.)?\d+/.exec(peerDependencies[name] ?? '')?.[0]}`;
}
