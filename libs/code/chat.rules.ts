import type { Json } from '#lib/kernel';
import type { Failure, Seen, SignalReceived, Step } from '#lib/workflow';
import { type CodeInput, messageSchema, type Said } from './code.input.js';
import type { MessageSent } from './code.events.js';
import { textOf } from './components.rules.js';

type TranscriptItem = {
  readonly role: Said['role'];
  /** The whole text; of a message of the code, without its components. */
  readonly text: string;
  readonly at?: string;
} & Partial<MessageSent['data']>;

/** A conversation in turns. Each turn lasts from a message to the next `listen`. */
export interface Chat {
  /** The current turn, or the next one, from 1. */
  readonly turn: number;
  /** The number of iterations in earlier turns. */
  readonly from: number;
  /** The number of messages of this turn. */
  readonly sent: number;
  readonly isListening: boolean;
  /** The reason why the turn before ended without an exit. */
  readonly failure?: Failure;
  readonly transcript: readonly TranscriptItem[];
}

/** The signal that brings a message. */
export const MESSAGE = 'message';

/** The conversation at the start of a run. A transcript that ends with the user or an event is answered at once. */
export function beginChat({ chat, transcript = [] }: CodeInput): Chat | undefined {
  const last = transcript.at(-1)?.role;
  const isListening = last !== 'user' && last !== 'event';
  return chat === true ? { turn: 1, from: 0, sent: 0, isListening, transcript } : undefined;
}

export function listening(chat: Chat, failure?: Failure): Chat {
  const { failure: _, ...rest } = chat;
  return { ...rest, turn: chat.turn + 1, isListening: true, ...(failure && { failure }) };
}

/** The message that begins a turn. @param from the number of iterations so far */
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

/** The conversation with a message that the program sent. */
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

/** The conversation before the run, in the form for the model. */
export function transcriptText(transcript: readonly Said[]): string {
  return `The conversation so far:\n\n${transcript.map(saidText).join('\n\n')}`;
}

/** The transcript, in the form for readers. */
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
