/** The last positions of events by type, from a position in the log on. Before that position, events of every type may be. */
export class LastOfTypes {
  readonly #positions = new Map<string, string>();
  #from: string | undefined;

  /** Forgets the positions, and begins at this one. */
  begin(from: string | undefined): void {
    this.#from = from;
    this.#positions.clear();
  }

  note(type: string, position: string): void {
    this.#positions.set(type, later(this.#positions.get(type), position));
  }

  /** The last position at which an event of one of these types may be. */
  of(types: readonly string[]): string | undefined {
    const positions = [this.#from, ...types.map((type) => this.#positions.get(type))];
    return positions.reduce(
      (latest, position) => (position === undefined ? latest : later(latest, position)),
      undefined,
    );
  }
}

/** The later of two positions of one log. */
export function later(one: string | undefined, other: string): string {
  return one === undefined || other > one ? other : one;
}
