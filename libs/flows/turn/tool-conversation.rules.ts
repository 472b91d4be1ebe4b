import type { ToolRequest } from '#lib/call-rules';
import type { TurnDraft } from './turn-draft.rules.js';

/** The conversation as it is at a call of a tool. Version 1 gives tools their arguments alone. */
export function toolConversation({
  version,
  data,
  context,
  given: { history, conversationId },
}: TurnDraft): Pick<ToolRequest, 'conversation'> {
  return version === 1 ? {} : { conversation: { data, context, history, conversationId } };
}
