/** The evaluated members and items of one value. One is made for every value, so an empty one allocates nothing. */
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
