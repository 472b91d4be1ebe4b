export { changedStore } from './changed-store.js';
export type { ContractCapability, ContractSubject } from './contract/subject.js';
export { membersOfKind, undeclaredMembers } from './declared-members.js';
export { describeEventStoreContract } from './event-store.contract.js';
