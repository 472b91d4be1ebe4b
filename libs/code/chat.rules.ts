import type { Json } from '#lib/kernel';
import type { Failure, Seen, SignalReceived, Step } from '#lib/workflow';
import { type CodeInput, messageSchema, type Said } from './code.input.js';
import type { MessageSent } from './code.events.js';
import { textOf } from './components.rules.js';

/** One message of a conversation. */
type TranscriptItem = {
  readonly role: Said['role'];
  /** All text; of a message of the code without its components. */
  readonly text: string;
  readonly at?: string;
} & Partial<MessageSent['data']>;

/** A conversation: turns, each from a message to the next `listen`. */
export interface Chat {
  /** From 1; of the turn that runs, or the next one. */
  readonly turn: number;
  /** Iterations of the turns before. */
  readonly from: number;
  /** Messages of this turn. */
  readonly sent: number;
  readonly isListening: boolean;
  /** Why the turn before ended without an exit. */
  readonly failure?: Failure;
  readonly transcript: readonly TranscriptItem[];
}

/** The signal that brings a message. */
export const MESSAGE = 'message';

/** A transcript that ends with the user or an event is answered at once. */
export function beginChat({ chat, transcript = [] }: CodeInput): Chat | undefined {
  const last = transcript.at(-1)?.role;
  const isListening = last !== 'user' && last !== 'event';
  return chat === true ? { turn: 1, from: 0, sent: 0, isListening, transcript } : undefined;
}

export function listening(chat: Chat, failure?: Failure): Chat {
  const { failure: _, ...rest } = chat;
  return { ...rest, turn: chat.turn + 1, isListening: true, ...(failure && { failure }) };
}

/**
 * The message that begins a turn.
 * @param from the iterations so far
 */
export function heard(
  { failure: _, transcript, ...chat }: Chat,
  { data, occurredAt }: Seen,
  from: number,
): { readonly chat: Chat; readonly message: Json } {
  const { payload } = data as SignalReceived['data'];
  const { text, role = 'user' } = payload as { readonly text: string; readonly role?: 'user' | 'event' };
  const said = { role, text, at: occurredAt };
  const turn = { from, sent: 0, isListening: false, transcript: [...transcript, said] };
  return { chat: { ...chat, ...turn }, message: { role: 'user', content: saidText(said) } };
}

/** Takes note of a message that the program sent. */
export function withMessage(chat: Chat, { data, occurredAt }: Seen): Chat {
  const message = data as MessageSent['data'];
  const item = { role: 'assistant' as const, text: textOf(message), at: occurredAt, ...message };
  return { ...chat, sent: chat.sent + 1, transcript: [...chat.transcript, item] };
}

export function awaitStep(chat: Chat): Extract<Step, { do: 'await' }> {
  const { turn, failure } = chat;
  const prompt = { turn, ...(failure && { failure }) };
  return { do: 'await', id: `message-${turn}`, signal: MESSAGE, schema: messageSchema, prompt };
}

/** The conversation before the run, as the model reads it. */
export function transcriptText(transcript: readonly Said[]): string {
  return `The conversation so far:\n\n${transcript.map(saidText).join('\n\n')}`;
}

/** As readers get it. */
export function transcriptOf({ chat }: { readonly chat?: Chat }): readonly TranscriptItem[] {
  return chat?.transcript ?? [];
}

const HEADINGS = {
  user: 'The user wrote:',
  assistant: 'You wrote:',
  event: 'This happened:',
  summary: 'A summary of what was said before:',
};

function saidText({ role, text }: Said): string {
  return `${HEADINGS[role]}\n\n${text}`;
}
