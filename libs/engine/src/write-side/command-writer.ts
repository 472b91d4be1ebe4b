export { CommandWriter, type Target } from '#lib/operations';
