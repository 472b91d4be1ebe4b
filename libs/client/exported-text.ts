import { answerOf, type ClientOptions, credentialsOf } from './call-over-http.js';
import type { ExportDatasetInput } from './redial-client.generated.js';

/**
 * The rows of a dataset, in parts that end anywhere, as the server sends them.
 * @throws RedialProblem when the server refuses; TypeError and others when the connection ends before the rows do
 */
export async function* exportedText(
  { url, fetch: send = fetch, ...server }: ClientOptions,
  { dataset, ...input }: ExportDatasetInput,
  { signal }: { readonly signal?: AbortSignal } = {},
): AsyncGenerator<string, void> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input)) if (value !== undefined) query.set(name, value);
  const path = `/v1/exports/${encodeURIComponent(dataset)}?${query.toString()}`;
  const ending = new AbortController();
  try {
    const response = await send(`${url.replace(/\/$/, '')}${path}`, {
      headers: credentialsOf(server),
      redirect: 'manual',
      signal: AbortSignal.any([...(signal ? [signal] : []), ending.signal]),
    });
    const isExport = /^(?:text\/csv|application\/x-ndjson)/.test(response.headers.get('content-type') ?? '');
    if (!response.ok || !response.body || !isExport) return void (await answerOf(response));
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    for (let part = await reader.read(); !part.done; part = await reader.read())
      yield decoder.decode(part.value, { stream: true });
  } finally {
    ending.abort();
  }
}
