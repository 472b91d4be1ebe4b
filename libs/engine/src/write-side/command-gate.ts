export { CommandGate } from '#lib/operations';
