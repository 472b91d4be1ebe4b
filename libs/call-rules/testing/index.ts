export { replied, unanswered } from '../models/testing/asking.js';
export { sampleRoute } from '../models/testing/sample-route.js';
export { noToolMemory } from './no-tool-memory.js';
