import { isUnknown, server } from '../data/server.js';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** The page of the thing that a whole id names, whatever it is; `undefined` for a text that is no id, or of nothing here. */
export async function pageOfId(text: string): Promise<string | undefined> {
  const id = text.toLowerCase();
  if (!UUID.test(id)) return undefined;
  const redial = server();
  const places: readonly (readonly [list: string, read: () => Promise<unknown>])[] = [
    ['sessions', () => redial.getSession({ sessionId: id })],
    ['tasks', () => redial.getTask({ taskId: id })],
    ['runs', () => redial.getRun({ runId: id })],
    ['conversations', () => redial.getConversation({ conversationId: id })],
    ['calls', () => redial.getLlmCall({ callId: id })],
  ];
  for (const [list, read] of places) if (await exists(read)) return `/${list}/${id}`;
  return undefined;
}

async function exists(read: () => Promise<unknown>): Promise<boolean> {
  try {
    await read();
    return true;
  } catch (error) {
    if (isUnknown(error)) return false;
    throw error;
  }
}
