import { isRejection } from '#lib/kernel';
import { listSessions, type ReadStore } from '#lib/projections';
import type { SessionStatus } from '#lib/session';
import type { ReadSide } from '../read-side/read-side.js';

const PAGE = 500;

/** Finds the sessions that something can be done about. */
export class OpenSessions {
  constructor(
    private readonly reads: ReadSide,
    private readonly store: ReadStore,
  ) {}

  /** Those that are not at rest, also the ones that wait for a person. */
  async all(): Promise<readonly string[]> {
    await this.reads.reached(['sessions']);
    return [...(await this.withStatus('open')), ...(await this.withStatus('needs_human'))];
  }

  /** Those that go on without a person, as far as the rows have come. */
  drivable(): Promise<readonly string[]> {
    return this.withStatus('open');
  }

  private async withStatus(status: SessionStatus): Promise<readonly string[]> {
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const request = { limit: PAGE, ...(cursor !== undefined && { cursor }) };
      const page = await listSessions(this.store.db, { status }, request);
      if (isRejection(page)) throw new TypeError(page.message);
      ids.push(...page.items.map(({ sessionId }) => sessionId));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    return ids;
  }
}
