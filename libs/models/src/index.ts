export { InvalidModelId, type ModelIdParts, parseModelId, splitModelId } from './parse-model-id.js';
