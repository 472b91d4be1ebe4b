/** A map of the newest keys. A key that is set becomes the newest one; over the bound the oldest key is dropped. */
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
