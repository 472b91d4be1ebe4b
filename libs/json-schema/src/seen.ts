/** The members and items of one value that keywords have looked at. Made for every value, so empty ones hold nothing. */
export class Seen {
  private names: Set<string | number> | undefined;

  get size(): number {
    return this.names?.size ?? 0;
  }

  has(name: string | number): boolean {
    return this.names?.has(name) ?? false;
  }

  add(name: string | number): void {
    this.names ??= new Set();
    this.names.add(name);
  }

  addAll(other: Seen): void {
    for (const name of other.names ?? []) this.add(name);
  }
}
