import type { JsonObject } from '#lib/kernel';
import { purposeMessages, type Section } from './prompts.rules.js';
import { readObject } from './reply.rules.js';
import type { Steps } from '#lib/workflow';
import type { ModelAsk, Purpose } from './asks.js';
import type { TurnDraft } from './turn-draft.rules.js';

/** A question to the model about the conversation. */
export interface TurnQuestion {
  readonly purpose: Purpose;
  /** The JSON Schema of its answer. */
  readonly schema: JsonObject;
  readonly section: Section;
  /** The agent's message, after the answer. */
  readonly said?: string | undefined;
}

export function modelAsk(turn: TurnDraft, question: TurnQuestion): ModelAsk {
  const { purpose, schema, section, said } = question;
  const messages = purposeMessages(turn, [section], said);
  return { id: turn.id(purpose), purpose, schema, messages };
}

/** The object in the model's answer; `{}` for an unreadable reply. */
export function* askObject(turn: TurnDraft, question: TurnQuestion): Steps<JsonObject> {
  return readObject(yield* turn.asks.model(modelAsk(turn, question))) ?? {};
}
