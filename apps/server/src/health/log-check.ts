import { Injectable } from '@nestjs/common';
import { EventLog } from '#lib/event-store';

/** Looks whether the log can be read and written, without writing anything. */
@Injectable()
export class LogCheck {
  constructor(private readonly log: EventLog) {}

  /** What is wrong; `undefined` when nothing is. */
  async problem(): Promise<string | undefined> {
    try {
      await this.repeatLastAppend();
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  /** An append that was done already takes the way of every append, and adds nothing. */
  private async repeatLastAppend(): Promise<void> {
    const [last] = await this.log.store.readAll({ direction: 'backwards', limit: 1 });
    if (!last) return;
    const { stream, revision, eventId, type, data, metadata } = last;
    const expected = revision === 0 ? 'no-stream' : revision - 1;
    await this.log.store.append(stream, expected, [{ eventId, type, data, metadata }]);
  }
}
