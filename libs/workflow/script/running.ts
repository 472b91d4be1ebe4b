/** A helper that a script made. */
export interface Made {
  /** The call in the script, such as `callTool(charge)`. */
  readonly name: string;
  /** The line of the script that made it. */
  readonly line: string | undefined;
}

/**
 * Watches one script while it runs. Scripts run without waiting, one at a time in a process, so a helper that is made belongs to the script that
 * runs.
 */
export class Watch {
  static #current: Watch | undefined;

  /** The watch of the script that runs now; `undefined` outside of scripts. */
  static get current(): Watch | undefined {
    return Watch.#current;
  }

  /** Helpers that were made but not run. */
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
