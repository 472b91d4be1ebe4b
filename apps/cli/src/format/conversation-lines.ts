import type { TurnView } from '#lib/flows/core';
import type { ConversationInspection } from '../inspecting/inspect-conversation.js';
import { chatLines } from './chat-lines.js';
import { jsonLine, oneLine } from './one-line.js';
import type { Paint } from './paint.js';

/** Where a conversation stands, then each turn: what was said, and what happened. */
export function conversationLines(
  { conversation, turns }: ConversationInspection,
  paint: Paint,
): readonly string[] {
  const { conversationId, agentName, agentVersion, status, currentFlow, currentStep, data, usage } =
    conversation;
  const place = [currentFlow?.id, currentStep?.id].flatMap((id) => id ?? []).join('/');
  return [
    paint('bold', `conversation ${conversationId}`),
    `  agent     ${agentName} version ${agentVersion}`,
    `  status    ${place === '' ? status : `${status} in ${place}`}`,
    `  data      ${jsonLine(data)}`,
    `  models    ${usage.calls} calls, ${usage.inputTokens} tokens in, ${usage.outputTokens} out`,
    ...turns.flatMap((turn) => ['', ...turnLines(turn)]),
  ];
}

function turnLines(turn: TurnView): readonly string[] {
  const { text, status, message, failure } = turn;
  const said = status === 'completed' ? oneLine(message) : `(${status})`;
  const end = failure ? `${said} ${oneLine(failure.message)}` : said;
  return [`> ${oneLine(text)}`, ...chatLines(turn), `< ${end}`];
}
