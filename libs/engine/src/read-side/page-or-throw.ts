export { pageOrThrow } from '#lib/operations';
