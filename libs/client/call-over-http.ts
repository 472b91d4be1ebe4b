/** The address of a server, and the caller's tokens. */
export interface ClientOptions {
  /** The address of the server, without `/v1`: `http://127.0.0.1:3000`. */
  readonly url: string;
  /** The token of the server or of a person. */
  readonly token?: string;
  /** The token of the person who acts, beside another token. */
  readonly actorToken?: string;
  /** Refuses commands that take part in a round that waits for a person: 409 `waits-for-person`. */
  readonly leaveToPeople?: boolean;
  /** Default: the `fetch` of the platform. */
  readonly fetch?: typeof fetch;
}

export interface ClientCallOptions {
  /** The same key with the same input again gives the same answer and adds no event. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

/** How HTTP carries an operation. */
export interface Route {
  readonly method: string;
  /** With `:name` for each field that it holds. */
  readonly path: string;
  /** The field that is the whole body. */
  readonly whole?: string;
  /** The fields that a POST has in its query, by their names there. */
  readonly query?: { readonly [name: string]: string };
  /** The field that is in the lines of the body after the first, which holds the others. */
  readonly lines?: string;
}

/** The answer of a server that is not a success: its problem document (RFC 9457). */
export class RedialProblem extends Error {
  constructor(
    readonly status: number,
    /** `code` names the problem; empty if the answer was not a problem document. */
    readonly problem: {
      readonly code?: string;
      readonly detail?: string;
      readonly [member: string]: unknown;
    },
    /** The pause that the server asks for in its `Retry-After`. */
    readonly retryAfterMs?: number,
  ) {
    super(problem.detail ?? `[RedialProblem] the call: the server answered ${status}. See its log.`);
    this.name = 'RedialProblem';
  }
}

const ELSEWHERE =
  '[RedialProblem] the call: a redirection or a web page answered, which a server of Redial never gives. Correct the address.';

/** With one of these as a segment, the path would be that of another operation. */
const NO_SEGMENTS = new Set<unknown>([undefined, null, '', '.', '..']);

function namesNothing(field: string, value: unknown): string {
  return `[RedialProblem] ${field}: ${JSON.stringify(value) ?? 'nothing'} names nothing. Give an id or a name.`;
}

/** Calls an operation of a server. @throws RedialProblem; TypeError of `fetch` if no server answers */
export async function callOverHttp(
  { url, token, actorToken, leaveToPeople, fetch: send = fetch }: ClientOptions,
  { method, path, whole, query: queryNames = {}, lines }: Route,
  input: object,
  { idempotencyKey, signal }: ClientCallOptions = {},
): Promise<unknown> {
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = rest.get(name) as unknown;
    rest.delete(name);
    if (NO_SEGMENTS.has(value)) throw new RedialProblem(404, { detail: namesNothing(name, value) });
    return encodeURIComponent(String(value));
  });
  const hasBody = method === 'POST' || method === 'PUT';
  const named = hasBody ? Object.entries(queryNames) : [...rest.keys()].map((name) => [name, name] as const);
  const query = new URLSearchParams();
  for (const [name, field] of named) {
    if (rest.has(field)) for (const value of [rest.get(field)].flat()) query.append(name, String(value));
    rest.delete(field);
  }
  const after = lines !== undefined && rest.has(lines) ? `\n${String(rest.get(lines))}` : '';
  if (lines !== undefined) rest.delete(lines);
  const body = whole === undefined ? Object.fromEntries(rest) : (rest.get(whole) ?? null);
  const headers = {
    accept: 'application/json, text/*',
    ...(hasBody && { 'content-type': lines === undefined ? 'application/json' : 'application/x-ndjson' }),
    ...credentialsOf({ token, actorToken }),
    ...(leaveToPeople && { 'redial-leave-to-people': 'true' }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  };
  const response = await send(
    `${url.replace(/\/$/, '')}${filled}${query.size > 0 ? `?${query.toString()}` : ''}`,
    {
      method,
      headers,
      // A followed redirection would show the caller's tokens to another server, and turn a POST into a GET.
      redirect: 'manual',
      ...(hasBody && { body: JSON.stringify(body) + after }),
      ...(signal && { signal }),
    },
  );
  return answerOf(response);
}

/** The headers that say who calls. */
export function credentialsOf({ token, actorToken }: Pick<ClientOptions, 'token' | 'actorToken'>) {
  return {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(actorToken !== undefined && { 'redial-actor-token': actorToken }),
  };
}

/** The body of an answer. @throws RedialProblem when it is not a success */
export async function answerOf(response: Response): Promise<unknown> {
  const text = await response.text();
  const type = response.headers.get('content-type') ?? '';
  const isJson = /\bjson\b/.test(type);
  // In a browser a redirection has no status.
  const isRedirection = response.type === 'opaqueredirect' || Math.trunc(response.status / 100) === 3;
  if (isRedirection || (response.ok && /\bhtml\b/.test(type))) {
    throw new RedialProblem(502, { detail: ELSEWHERE });
  }
  if (response.ok) return isJson ? (JSON.parse(text) as unknown) : response.status === 204 ? null : text;
  const problem = isJson ? (JSON.parse(text) as RedialProblem['problem']) : {};
  const seconds = response.headers.get('retry-after') ?? '';
  const retryAfterMs = /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1_000 : undefined;
  throw new RedialProblem(response.status, problem, retryAfterMs);
}
