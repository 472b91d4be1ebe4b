export { KeyRegister } from '#lib/operations';
