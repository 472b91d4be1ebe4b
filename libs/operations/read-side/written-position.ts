/** How far this process has written: the positions that its callers know. */
export class WrittenPosition {
  private last: string | undefined;
  /** The position of the last event of each type. */
  private readonly lastOfType = new Map<string, string>();
  private found: string | undefined;

  /** The log as this process finds it: events of every type may be in it. */
  begin(head: string | undefined): void {
    this.found = head;
  }

  note(position: string | undefined, events: readonly { readonly type: string }[] = []): void {
    if (position === undefined) return;
    this.last = later(this.last, position);
    for (const { type } of events) this.lastOfType.set(type, later(this.lastOfType.get(type), position));
  }

  get latest(): string | undefined {
    return this.last;
  }

  /** The last position at which an event of one of these types may be: of those that this process wrote, and of all from before its start. */
  latestOf(types: readonly string[]): string | undefined {
    const positions = [this.found, ...types.map((type) => this.lastOfType.get(type))];
    return positions.reduce(
      (latest, position) => (position === undefined ? latest : later(latest, position)),
      undefined,
    );
  }
}

function later(one: string | undefined, other: string): string {
  return one === undefined || other > one ? other : one;
}
