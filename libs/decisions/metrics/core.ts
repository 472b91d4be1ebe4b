export type { CallMeter } from './call-meters.js';
export { DURATION_BUCKETS_MS } from './duration-buckets.js';
export { metersModel } from './meters.read-model.js';
export { Meters, type MeterReadings } from './meters.js';
