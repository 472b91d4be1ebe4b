import { isJsonObject, type Json, type JsonObject } from '#lib/kernel';

/** The message of a streamed reply, put together from its deltas in linear time. */
export class StreamedMessage {
  readonly #members = new Map<string, Json[]>([
    ['role', ['assistant']],
    ['content', []],
  ]);
  readonly #calls: StreamedCall[] = [];
  readonly #callAt = new Map<Json | undefined, StreamedCall>();
  #legacyCall: StreamedFunction | undefined;

  add({ tool_calls: parts, function_call: part, ...rest }: JsonObject): void {
    for (const [name, value] of Object.entries(rest)) this.#addMember(name, value);
    if (Array.isArray(parts)) for (const one of parts as readonly Json[]) this.#addPart(one);
    if (isJsonObject(part)) (this.#legacyCall ??= new StreamedFunction()).add(part);
  }

  get json(): JsonObject {
    const members = [...this.#members].map(([name, pieces]) => [name, joined(name, pieces)] as const);
    return {
      ...Object.fromEntries(members),
      ...(this.#calls.length > 0 && { tool_calls: this.#calls.map(({ json }) => json) }),
      ...(this.#legacyCall && { function_call: this.#legacyCall.json }),
    };
  }

  #addMember(name: string, value: Json | undefined): void {
    const pieces = this.#members.get(name) ?? [];
    this.#members.set(name, pieces);
    if (!isNothing(value)) pieces.push(value);
  }

  #addPart(part: Json): void {
    if (!isJsonObject(part)) return;
    const { index } = part;
    const open = this.#callAt.get(index);
    if (open?.takes(part)) return open.add(part);
    const call = new StreamedCall();
    this.#calls.push(call);
    this.#callAt.set(index, call);
    call.add(part);
  }
}

/** A tool call. Its parts have the same index. Several calls may have the same index, too, each with an id of its own. */
class StreamedCall {
  readonly #head = new Map<string, Json>([['type', 'function']]);
  readonly #function = new StreamedFunction();

  takes({ id }: JsonObject): boolean {
    return isNothing(id) || !this.#head.has('id') || id === this.#head.get('id');
  }

  add({ index: _index, function: called, ...head }: JsonObject): void {
    replace(this.#head, head);
    if (isJsonObject(called)) this.#function.add(called);
  }

  get json(): JsonObject {
    return { ...Object.fromEntries(this.#head), function: this.#function.json };
  }
}

/** The name of a function, once or repeated, and its arguments in parts. */
class StreamedFunction {
  readonly #head = new Map<string, Json>();
  readonly #arguments: string[] = [];

  add({ arguments: part, ...head }: JsonObject): void {
    replace(this.#head, head);
    if (!isNothing(part)) this.#arguments.push(typeof part === 'string' ? part : JSON.stringify(part));
  }

  get json(): JsonObject {
    return { ...Object.fromEntries(this.#head), arguments: this.#arguments.join('') };
  }
}

/** Joins texts and lists; of other values, the last one counts. */
function joined(name: string, pieces: readonly Json[]): Json {
  if (name === 'role' || pieces.length === 0) return pieces.at(-1) ?? null;
  if (pieces.every((piece) => typeof piece === 'string')) return pieces.join('');
  const isList = pieces.some((piece) => Array.isArray(piece));
  if (!isList) return pieces.at(-1) ?? null;
  return pieces.flatMap((piece) =>
    typeof piece === 'string' ? [{ type: 'text', text: piece }] : (piece as Json[]),
  );
}

/** Takes new values of members. Later parts of a call repeat members unchanged, as null, or as an empty text. */
function replace(known: Map<string, Json>, given: JsonObject): void {
  for (const [name, value] of Object.entries(given)) if (!isNothing(value)) known.set(name, value);
}

/** Whether the value of a member is empty. */
export function isNothing(value: Json | undefined): value is undefined | null | '' {
  return value === undefined || value === null || value === '';
}
