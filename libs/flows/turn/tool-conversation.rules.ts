import type { ToolRequest } from '#lib/call-rules';
import type { TurnDraft } from './turn-draft.rules.js';

/** The conversation at a call of a tool. In version 1 tools get their arguments alone. */
export function toolConversation({
  version,
  data,
  context,
  given: { history, conversationId },
}: TurnDraft): Pick<ToolRequest, 'conversation'> {
  return version === 1 ? {} : { conversation: { data, context, history, conversationId } };
}
