export type { ReadOptions } from '#lib/operations';
