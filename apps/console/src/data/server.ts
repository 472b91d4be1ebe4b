import { type ClientOptions, RedialClient, RedialProblem } from '#lib/client';

const TOKEN = 'redial.token';

/** The address from which this page was served, without a slash at its end: the API is below it. */
export const baseUrl = document.baseURI.replace(/\/[^/]*$/, '');

/** `baseUrl` as a path, for the router. */
export const basePath = new URL(`${baseUrl}/`).pathname;

/** The token with which a person logged in. It is kept until the tab is closed. */
export const token = {
  get: (): string | undefined => sessionStorage.getItem(TOKEN) ?? undefined,
  set: (value: string): void => sessionStorage.setItem(TOKEN, value),
  clear: (): void => sessionStorage.removeItem(TOKEN),
};

/** The server with the current token. */
export function options(): ClientOptions {
  const value = token.get();
  return { url: baseUrl, ...(value !== undefined && { token: value }) };
}

/** A client with the current token. */
export function server(): RedialClient {
  return new RedialClient(options());
}

/** Whether the server refused the token, or asks for one. */
export function isUnauthorized(error: unknown): boolean {
  return error instanceof RedialProblem && error.status === 401;
}

/** Whether the requested object does not exist. */
export function isUnknown(error: unknown): boolean {
  return error instanceof RedialProblem && error.status === 404;
}

/** The text of an error for a person: the server's words, or that it cannot be reached. */
export function wordsOf(error: unknown): string {
  if (error instanceof RedialProblem) return error.message.replace(/^\[\w+\] /, '');
  if (error instanceof TypeError) return 'The server cannot be reached.';
  return error instanceof Error ? error.message : String(error);
}

/** The errors in a body that a server found, by pointer; none for another refusal. */
export function errorsOf(error: unknown): readonly { readonly path: string; readonly message: string }[] {
  if (!(error instanceof RedialProblem)) return [];
  return (error.problem['errors'] as ReturnType<typeof errorsOf> | undefined) ?? [];
}
