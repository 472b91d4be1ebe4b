/** The newest keys and their values: a key that is set is the newest one, and beyond the bound the oldest goes. */
export class RecentMap<Value> extends Map<string, Value> {
  /** @param most keys */
  constructor(private readonly most: number) {
    super();
  }

  override set(key: string, value: Value): this {
    this.delete(key);
    super.set(key, value);
    const [oldest] = this.keys();
    if (oldest !== undefined && this.size > this.most) this.delete(oldest);
    return this;
  }
}
