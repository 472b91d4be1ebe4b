export interface SentEvent {
  readonly id: string;
  readonly event: string;
  readonly data: object;
}

/** Reads server-sent events one by one. Holds the response: Node cancels a body that nobody reads yet once its response is collected. */
export async function* sentEvents(response: Response): AsyncGenerator<SentEvent> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    rest += decoder.decode(chunk, { stream: true });
    const parts = rest.split('\n\n');
    rest = parts.pop() ?? '';
    for (const part of parts.filter((text) => !text.startsWith(':'))) yield parsed(part);
  }
}

function parsed(part: string): SentEvent {
  const fields = part
    .split('\n')
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]);
  const { id = '', event = '', data = '' } = Object.fromEntries(fields) as Record<string, string>;
  return { id, event, data: JSON.parse(data) as object };
}
