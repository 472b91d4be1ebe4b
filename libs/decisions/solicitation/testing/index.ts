export { enriched, type LadderStart, ladderStart, plain } from './ladder-start.js';
export {
  callsOf,
  endOf,
  fallbacksOf,
  type History,
  ladder,
  ladderRun,
  requestsOf,
  type Scripted,
  verifyLadder,
} from './ladder.js';
export { samples } from './sample-histories.js';
export {
  contextText,
  decision,
  functionThrows,
  httpReply,
  noReply,
  noWebhookReply,
  type ReplyDetails,
  strategyResult,
  text,
  toolCall,
  toolCalls,
  webhookReply,
} from './scripted-replies.js';
