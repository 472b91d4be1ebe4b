export { type Call, callOf, type CallOptions, subCall } from '#lib/operations';
