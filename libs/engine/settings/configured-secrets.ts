import {
  addressSecrets,
  connectionSecrets,
  type LlmProviders,
  type McpServer,
  secretValues,
  WebhookTokens,
} from '#lib/activities';
import { masterKeyIn } from './setting-files.js';
import type { RedialOptions } from './redial-options.js';

/** Every secret in the options of a process. A secret that is added to the options must be added here. */
export function configuredSecrets(options: RedialOptions, providers: LlmProviders): readonly string[] {
  return [
    ...(options.secrets ?? []),
    ...providers.secrets,
    ...new WebhookTokens(options.webhooks?.tokens).values,
    ...Object.values(options.mcpServers ?? {}).flatMap(mcpSecrets),
    ...connectionSecrets(options.databaseUrl),
    ...connectionSecrets(options.eventStoreDbUrl),
    ...[options.apiToken, options.actorTokenSecret].filter((one) => one !== undefined),
    ...[options.masterKey ?? '', options.masterKeyNew ?? ''].filter(masterKeyIn),
  ];
}

function mcpSecrets(server: McpServer): readonly string[] {
  if ('command' in server) return secretValues(Object.entries(server.env ?? {}));
  return [...secretValues(Object.entries(server.headers ?? {})), ...addressSecrets(server.url)];
}

type Variables = { readonly [name: string]: string | undefined };

/** Variables of the form `name=value,name=value`, values percent-encoded, in which OpenTelemetry has headers. */
const HEADERS = ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'];
const ADDRESSES = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'REDIAL_URL'];
const TOKENS = ['REDIAL_API_TOKEN', 'REDIAL_ACTOR_TOKEN', 'PGPASSWORD'];

/** The secrets of a process that its packages and its commands read from the environment themselves. */
export function environmentSecrets(variables: Variables): readonly string[] {
  const value = (name: string) => variables[name] ?? '';
  return [
    ...TOKENS.map(value),
    ...ADDRESSES.map(value).flatMap(addressSecrets),
    ...HEADERS.map(value).flatMap((text) => secretValues(headersIn(text))),
  ];
}

function headersIn(text: string): readonly (readonly [string, string])[] {
  return text.split(',').flatMap((member) => {
    const [name = '', ...rest] = member.split('=');
    const value = rest.join('=').trim();
    return [value, decoded(value)].map((one) => [name.trim(), one] as const);
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
