/** The answer of a scripted server to one request. */
export interface ScriptedReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /** The reply is sent after this settles. */
  readonly after?: Promise<unknown>;
  /** The end of the reply. With `drop` and `hang` the headers announce more than the body holds. Default: `end`. */
  readonly ending?: 'end' | 'drop' | 'hang';
  /** More parts of the body, each sent after the one before it and once its `after` has settled. */
  readonly more?: readonly { readonly after?: Promise<unknown>; readonly body: string | Uint8Array }[];
  /** Sends no headers, only the ending. */
  readonly silent?: true;
}

/** Any reply; by default an empty one with status 200. */
export function reply(parts: Partial<ScriptedReply> = {}): ScriptedReply {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: '', ...parts };
}

/** An HTTP error. An object is sent as its JSON text. */
export function httpError(
  status: number,
  body: string | object = { error: { message: `error ${status}` } },
): ScriptedReply {
  return reply({ status, body: typeof body === 'string' ? body : JSON.stringify(body) });
}

/** A completion as server-sent events: one for each chunk, then `[DONE]` unless another ending is given. */
export function streamed(
  chunks: readonly object[],
  { end = 'data: [DONE]\n\n', ...parts }: Partial<ScriptedReply> & { readonly end?: string } = {},
): ScriptedReply {
  const body = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('') + end;
  return reply({ headers: { 'content-type': 'text/event-stream' }, body, ...parts });
}

/** Cuts the connection after the request has arrived. */
export function droppedConnection(): ScriptedReply {
  return reply({ silent: true, ending: 'drop' });
}

/** Never answers a request. */
export function noAnswer(): ScriptedReply {
  return reply({ silent: true, ending: 'hang' });
}

/** Sends headers and the first part of a body; then the connection is cut, or stays silent. */
export function partialReply(body: string, ending: 'drop' | 'hang'): ScriptedReply {
  return reply({ body, ending });
}

/** The same reply, held back until a promise settles. */
export function heldBack(held: ScriptedReply, after: Promise<unknown>): ScriptedReply {
  return { ...held, after };
}
