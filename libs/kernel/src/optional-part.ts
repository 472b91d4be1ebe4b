import { RedialError } from './redial-error.js';

/** The parts of Redial that need packages which an application installs itself: optional peer dependencies. */
export const optionalParts = {
  EventStoreDB: ['@eventstore/db-client@6'],
  PostgreSQL: ['pg@8'],
  MCP: ['@modelcontextprotocol/sdk@1', 'zod@4'],
  OpenTelemetry: [
    '@opentelemetry/api@1',
    '@opentelemetry/exporter-trace-otlp-http@0.223',
    '@opentelemetry/exporter-trace-otlp-proto@0.223',
    '@opentelemetry/resources@2',
  ],
  code: [
    'quickjs-emscripten-core@0.32',
    '@jitl/quickjs-ng-wasmfile-release-sync@0.32',
    'sucrase@3',
    'acorn@8',
  ],
  'the HTTP server': ['helmet@8', 'prom-client@15', 'swagger-ui-dist@5'],
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
    if (!optionalParts[part].some((needed) => needed.startsWith(`${name}@`))) throw error;
    const fix = `Install what it needs: npm i ${optionalParts[part].join(' ')}`;
    throw new PackageMissing(`cannot use ${part}`, `the package ${name} is not installed`, fix, {
      cause: error,
    });
  }
}

/** `@scope/name`, or `name`, of Node's `Cannot find package '…' imported from …`. */
function missingPackage(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_MODULE_NOT_FOUND')
    return undefined;
  return /^Cannot find package '((?:@[^/']+\/)?[^/']+)/.exec(error.message)?.[1];
}
