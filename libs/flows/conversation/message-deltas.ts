import type { RunDelta } from '#lib/runs/runs/core';
import { MessageText } from '../turn/message-text.js';

/** A part of what the agent says in a turn. */
export interface MessageDelta {
  readonly turnId: string;
  readonly callId: string;
  readonly text: string;
}

/** Turns parts of replies into parts of messages: of the calls that answer, the text of `message`. */
export class MessageDeltas {
  #call: { readonly stream: string; readonly callId: string; readonly message: MessageText } | undefined;

  /** @param turnOf the turn whose run has this stream */
  constructor(
    private readonly turnOf: (stream: string) => string,
    private readonly tell: (delta: MessageDelta) => void,
  ) {}

  /** @param stepId says what the call is for */
  add({ stream, callId, text }: RunDelta, stepId: string): void {
    if (!stepId.startsWith('respond-')) return;
    if (this.#call?.stream !== stream || this.#call.callId !== callId)
      this.#call = { stream, callId, message: new MessageText() };
    const added = this.#call.message.add(text);
    if (added !== '') this.tell({ turnId: this.turnOf(stream), callId, text: added });
  }
}
