export { ReadSide } from '#lib/operations';
