export { describeReadStoreContract } from './read-store.contract.js';
export { dumpRows } from './dump-rows.js';
export { PostgresServer } from './postgres-server.js';
