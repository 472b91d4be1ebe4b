/** Members of headers, queries and environments whose values are not secrets: other texts may hold the same values. In lower case. */
const HARMLESS: ReadonlySet<string> = new Set([
  'accept',
  'anthropic-version',
  'api-version',
  'content-type',
  'debug',
  'home',
  'http-referer',
  'lang',
  'log_level',
  'node_env',
  'openai-organization',
  'openai-project',
  'path',
  'pwd',
  'tz',
  'user-agent',
  'x-title',
]);

/** The values of headers, a query or an environment. A header may have a scheme before its credentials. */
export function secretValues(members: Iterable<readonly [name: string, value: string]>): readonly string[] {
  return [...members].flatMap(([name, value]) =>
    HARMLESS.has(name.toLowerCase()) ? [] : [value, value.replace(/^[A-Za-z]+ +/, '')],
  );
}

/** User, password and query of an address. */
export function addressSecrets(url: string): readonly string[] {
  if (!URL.canParse(url)) return [];
  const { username, password, searchParams } = new URL(url);
  return [...spelled(username), ...spelled(password), ...secretValues(searchParams)];
}

/** A connection string names several hosts, so it is not always a URL. */
const USER_INFO = /^[a-z][a-z+]*:\/\/[^/?#]*?:(?<password>[^/?#]*)@/i;
const SECRET_MEMBER = /[?&][^=&]*(?:pass|secret|token|key)[^=&]*=(?<value>[^&]+)/gi;

/** The passwords of a connection string. Users and hosts are not secrets: `postgres` is a common word. */
export function connectionSecrets(text = ''): readonly string[] {
  const password = USER_INFO.exec(text)?.groups?.['password'] ?? '';
  const members = [...text.matchAll(SECRET_MEMBER)].map(({ groups }) => groups?.['value'] ?? '');
  return [password, ...members].flatMap(spelled);
}

/** The part unchanged, and decoded. */
function spelled(part: string): readonly string[] {
  try {
    return [part, decodeURIComponent(part)];
  } catch {
    return [part];
  }
}
