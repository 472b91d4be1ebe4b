export { WrittenPosition } from '#lib/operations';
