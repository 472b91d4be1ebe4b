import type { RunDelta } from '#lib/runs/runs/core';
import { MessageText } from '../turn/message-text.js';

/** A part of the agent's message in a turn. */
export interface MessageDelta {
  readonly turnId: string;
  readonly callId: string;
  readonly text: string;
}

/** Turns parts of replies into parts of messages: the text of `message` in the calls that answer the user. */
export class MessageDeltas {
  #call: { readonly stream: string; readonly callId: string; readonly message: MessageText } | undefined;

  /** @param turnOf the turn of a run's stream */
  constructor(
    private readonly turnOf: (stream: string) => string,
    private readonly tell: (delta: MessageDelta) => void,
  ) {}

  /** @param stepId its name has the purpose of the call */
  add({ stream, callId, text }: RunDelta, stepId: string): void {
    if (!stepId.startsWith('respond-')) return;
    if (this.#call?.stream !== stream || this.#call.callId !== callId)
      this.#call = { stream, callId, message: new MessageText() };
    const added = this.#call.message.add(text);
    if (added !== '') this.tell({ turnId: this.turnOf(stream), callId, text: added });
  }
}
