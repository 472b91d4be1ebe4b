import { randomUUID } from 'node:crypto';
import { Client } from 'pg';

/** A database that somebody else runs. Each place is a schema of its own, which is gone in the end. */
export class GivenDatabase {
  readonly #schemas: string[] = [];

  private constructor(
    private readonly url: string,
    private readonly admin: Client,
  ) {}

  static async open(url: string): Promise<GivenDatabase> {
    const admin = new Client({ connectionString: url });
    await admin.connect();
    return new GivenDatabase(url, admin);
  }

  /** The URL of a schema with nothing in it. */
  async emptyPlace(): Promise<string> {
    const schema = `redial_test_${randomUUID().slice(0, 8)}`;
    await this.admin.query(`create schema ${schema}`);
    this.#schemas.push(schema);
    const url = new URL(this.url);
    url.searchParams.set('options', `-c search_path=${schema}`);
    return url.href.replaceAll('+', '%20');
  }

  async stop(): Promise<void> {
    for (const schema of this.#schemas)
      await this.admin.query(`drop schema if exists ${schema}, ${schema}_views cascade`);
    await this.admin.end();
  }
}
