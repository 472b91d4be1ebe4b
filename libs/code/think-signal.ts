import type { Json } from '#lib/kernel';

/** Thrown by a tool of `executeCode`: the program stops, and the model reads the reason and the context before it writes again. */
export class ThinkSignal extends Error {
  override readonly name = 'ThinkSignal';

  constructor(
    readonly reason: string,
    readonly context: Json = {},
  ) {
    super(reason);
  }
}
