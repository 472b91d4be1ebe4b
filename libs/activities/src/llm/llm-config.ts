/** How one OpenAI-compatible API is reached. Reading it from the environment is the shell's part. */
export interface LlmConfig {
  readonly apiKey?: string;
  /** May have a query. Neither its values nor the key are ever recorded. */
  readonly baseUrl: string;
  /** Sent with every call. Their values are never recorded. */
  readonly headers?: { readonly [name: string]: string };
  /** Added to the address of every call. */
  readonly query?: { readonly [name: string]: string };
  /** The variable of the key, for messages; `null`: the API takes no key. Default: OPENAI_API_KEY. */
  readonly keyFrom?: string | null;
}

/** The address of OpenAI's API. */
export const DEFAULT_BASE_URL = 'https://api.openai.com/v1';

/** From `OPENAI_API_KEY` and `OPENAI_BASE_URL`. An empty variable counts as one that is not set. */
export function llmConfigFrom(environment: NodeJS.ProcessEnv): LlmConfig {
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl } = environment;
  return { ...(apiKey && { apiKey }), baseUrl: baseUrl || DEFAULT_BASE_URL };
}
