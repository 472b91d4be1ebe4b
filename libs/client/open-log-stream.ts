import { type ClientOptions, RedialProblem } from './call-over-http.js';

/**
 * Opens the stream of the whole log, without what is in its events: each is an `id`, its position, with `event`, its type.
 * @param lastEventId the position after which it begins; `undefined`: the start of the log
 * @returns server-sent events as they come
 * @throws RedialProblem when the server refuses; TypeError of `fetch` if no server answers
 */
export async function openLogStream(
  { url, token, fetch: send = fetch }: ClientOptions,
  lastEventId: string | undefined,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const query = new URLSearchParams({ content: 'off', ...(lastEventId !== undefined && { lastEventId }) });
  const response = await send(`${url.replace(/\/$/, '')}/v1/events/stream?${query.toString()}`, {
    headers: {
      accept: 'text/event-stream',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    redirect: 'manual',
    signal,
  });
  if (!response.ok || !response.body) throw new RedialProblem(response.status, {});
  return response.body;
}
