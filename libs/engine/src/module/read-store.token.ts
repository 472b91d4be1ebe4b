export { READ_STORE } from '#lib/operations';
