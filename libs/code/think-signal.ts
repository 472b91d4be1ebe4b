import type { Json } from '#lib/kernel';

/** Thrown by a tool of `executeCode`. The program stops, and the model reads the reason and the context before it writes the next one. */
export class ThinkSignal extends Error {
  override readonly name = 'ThinkSignal';

  constructor(
    readonly reason: string,
    readonly context: Json = {},
  ) {
    super(reason);
  }
}
