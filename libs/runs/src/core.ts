export { runsProjection } from './runs.read-model.js';
