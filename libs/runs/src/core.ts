export { ModelMemory } from './facts/model-memory.js';
export { type ModelLimits, ModelRoutes } from './facts/model-routes.js';
export { runsProjection } from './runs.read-model.js';
