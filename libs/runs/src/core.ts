export { type ModelLimits, ModelMemory, ModelRoutes } from './facts/model-routes.js';
export { runsProjection } from './runs.read-model.js';
