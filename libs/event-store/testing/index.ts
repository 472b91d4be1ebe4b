export { changedStore } from './changed-store.js';
export type { ContractSubject } from './contract/subject.js';
export { membersOfKind, undeclaredMembers } from './declared-members.js';
export { describeEventStoreContract } from './event-store.contract.js';
