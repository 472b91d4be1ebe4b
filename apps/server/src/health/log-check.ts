import { Injectable } from '@nestjs/common';
import { EventLog } from '#lib/event-store';

/** Looks whether the log can be read and written, without writing anything. */
@Injectable()
export class LogCheck {
  constructor(private readonly log: EventLog) {}

  /**
   * An append that was done already takes the way of every append, and adds nothing.
   * @throws StoreUnavailable
   */
  async repeatLastAppend(): Promise<void> {
    const [last] = await this.log.store.readAll({ direction: 'backwards', limit: 1 });
    if (!last) return;
    const { stream, revision, eventId, type, data, metadata } = last;
    const expected = revision === 0 ? 'no-stream' : revision - 1;
    await this.log.store.append(stream, expected, [{ eventId, type, data, metadata }]);
  }
}
