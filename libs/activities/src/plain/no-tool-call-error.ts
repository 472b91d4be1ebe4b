import { explain } from '#lib/kernel';
import type { ChatUsage } from './chat-usage.js';

/** The model answered, and called no tool. */
export class NoToolCallError extends Error {
  override readonly name = 'NoToolCallError';

  /**
   * @param content the text of the reply, "" where it has none
   * @param usage as the reply reports it; absent where it does not
   */
  constructor(
    readonly content: string,
    readonly usage?: ChatUsage,
  ) {
    super(explain('NoToolCallError', 'reply of the model', 'it calls no tool', 'Read its text in `content`'));
  }
}
