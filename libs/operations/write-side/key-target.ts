import { keyReused } from '#lib/event-store';
import type { Json, JsonObject } from '#lib/kernel';
import { RejectionError } from './rejection-error.js';

/** Records the target of a key, unless it has one. @returns the recorded one */
type Bind = (target: JsonObject) => Promise<JsonObject>;

/**
 * The target of a call whose command chooses it, such as the newest turn or the current round. Each repeat of a keyed call has the
 * target of the first; a call without a key has the one that is chosen now.
 */
export class KeyTarget {
  #recorded: JsonObject | undefined;
  #chosen: JsonObject | undefined;
  #bind: Bind = (target) => Promise.resolve(target);

  /** @param recorded if the key is bound */
  open(recorded: JsonObject | undefined, bind: Bind): void {
    this.#recorded = recorded;
    this.#bind = bind;
  }

  /** The target that `choose` chose in this call, if no event records it. */
  get unrecorded(): JsonObject | undefined {
    return this.#recorded ? undefined : this.#chosen;
  }

  /**
   * For commands whose events a repeat finds by the id of the command: no event records the target unless the call is refused. A command
   * that is decided again, after a conflict or on an old state, chooses again: its first choice had no effect.
   */
  choose<T extends JsonObject>(choice: () => T): T {
    const chosen = (this.#recorded as T | undefined) ?? choice();
    this.#chosen = chosen;
    return chosen;
  }

  /**
   * For all other commands: an event records the target before the command acts. Without a choice nothing is bound.
   * @param named the members of the target that the body names
   * @throws RejectionError when the key is bound to another target than the body names
   */
  async bind<T extends JsonObject>(
    choice: () => Promise<T | undefined>,
    named: { readonly [Member in keyof T]?: Json | undefined } = {},
  ): Promise<T | undefined> {
    if (!this.#recorded) {
      const target = await choice();
      if (!target) return undefined;
      this.#recorded = await this.#bind(target);
    }
    const bound = this.#recorded as T;
    if (contradicts(bound, named)) throw new RejectionError(keyReused());
    return bound;
  }
}

/** Whether a member that both have differs. */
function contradicts(bound: JsonObject, named: Readonly<Record<string, Json | undefined>>): boolean {
  return Object.entries(named).some(
    ([member, value]) => value !== undefined && bound[member] !== undefined && bound[member] !== value,
  );
}
