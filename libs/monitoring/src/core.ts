export { metersProjection } from './meters.read-model.js';
