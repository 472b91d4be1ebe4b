import { answerOf, type ClientOptions, credentialsOf } from './call-over-http.js';
import type { ExportDatasetInput } from './redial-client.generated.js';

/** Exports of these datasets are recorded. */
const CONTENT_DATASETS: ReadonlySet<string> = new Set(['training', 'preferences']);

/**
 * The rows of a dataset, or the lines of `training` and `preferences`, in parts of any size, as the server sends them.
 * @throws RedialProblem when the server refuses; TypeError and others when the connection ends before the rows do
 */
export async function* exportedText(
  { url, fetch: send = fetch, ...server }: ClientOptions,
  { dataset, ...input }: ExportDatasetInput,
  { signal }: { readonly signal?: AbortSignal } = {},
): AsyncGenerator<string, void> {
  const address = `${url.replace(/\/$/, '')}/v1/exports/${encodeURIComponent(dataset)}`;
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  const isContent = CONTENT_DATASETS.has(dataset);
  const query = isContent ? '' : `?${new URLSearchParams(given).toString()}`;
  const headers = credentialsOf(server);
  const ending = new AbortController();
  try {
    const response = await send(`${address}${query}`, {
      ...(isContent
        ? {
            method: 'POST',
            headers: { ...headers, 'content-type': 'application/json' },
            body: JSON.stringify(Object.fromEntries(given)),
          }
        : { headers }),
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
