export { RejectionError } from '#lib/operations';
