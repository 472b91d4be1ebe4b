export type { Granted } from '#lib/operations';
