export { refuse } from '#lib/operations';
