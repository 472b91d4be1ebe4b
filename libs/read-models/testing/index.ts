export { specialistsModel } from '../specialists/specialists.read-model.js';
export { dumpRows } from './dump-rows.js';
export { llmCallCompleted, llmCallRequested, toolCallReply } from './llm-events.js';
export { PostgresServer } from './postgres-server.js';
export {
  appendAll,
  id,
  openLog,
  type PlacedEvent,
  sessionCreated,
  solicitationStarted,
  timeOf,
} from './sample-log.js';
export { TestParts } from './test-parts.js';
