/** A helper that a script made. */
export interface Made {
  /** As it is called: `callTool(charge)`. */
  readonly name: string;
  /** The line that made it. */
  readonly line: string | undefined;
}

/**
 * Watches over one script while it runs. Scripts run without waiting, one at a time in a process: what is made meanwhile belongs to the
 * one that runs.
 */
export class Watch {
  static #current: Watch | undefined;

  /** Of the script that runs now; `undefined` outside of scripts. */
  static get current(): Watch | undefined {
    return Watch.#current;
  }

  /** Helpers that were made, and not run. */
  readonly made = new Set<object & Made>();
  #ended: { readonly error: unknown } | undefined;

  /** The error that ends the script, even if the script caught it. */
  get ended(): { readonly error: unknown } | undefined {
    return this.#ended;
  }

  /** The first error counts. */
  end(error: unknown): void {
    this.#ended ??= { error };
  }

  run<Result>(work: () => Result): Result {
    const before = Watch.#current;
    Watch.#current = this;
    try {
      return work();
    } finally {
      Watch.#current = before;
    }
  }
}
