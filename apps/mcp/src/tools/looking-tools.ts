import { z } from 'zod';
import { pageInputs, sessionId } from '../inputs.js';
import { tool } from '../tool.js';

export const lookingTools = [
  tool({
    name: 'get_session_events',
    description: 'All that happened in a session, in log order: prompts, replies, fallbacks, decisions.',
    input: { sessionId, ...pageInputs },
    run: (redial, { sessionId: id, ...page }) => redial.sessionEvents(id, page),
  }),
  tool({
    name: 'get_session_at',
    description: 'A session as it was right after a revision of its stream.',
    input: { sessionId, revision: z.int().min(0) },
    run: (redial, input) => redial.sessionAt(input.sessionId, input.revision),
  }),
  tool({
    name: 'get_llm_calls',
    description: 'The calls to models that a session made, oldest first, with requests and replies whole.',
    input: { sessionId, ...pageInputs },
    run: (redial, { sessionId: id, ...page }) => redial.llmCallsOfSession(id, page),
  }),
  tool({
    name: 'replay_session',
    description: 'Derive every derived event of a session again from its log and compare. Writes nothing.',
    input: { sessionId },
    run: (redial, input) => redial.replaySession(input.sessionId),
  }),
];
