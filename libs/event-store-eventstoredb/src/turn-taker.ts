/** One piece of work at a time for each name, in the order they came. */
export class TurnTaker {
  readonly #last = new Map<string, Promise<unknown>>();

  take<T>(name: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#last.get(name) ?? Promise.resolve()).then(work, work);
    this.#last.set(name, turn);
    const forget = () => {
      if (this.#last.get(name) === turn) this.#last.delete(name);
    };
    turn.then(forget, forget);
    return turn;
  }
}
