export { lastCopied, markCopy } from './copies.js';
export { LogHold } from './log-hold.js';
export { isUnder, proofOf, type Provable, type ProvedLeaf, type SealProof } from './proof.js';
export { PublicSealKey, type Seal, sealIn, SealKey } from './seal.js';
export { sealEventDefinitions } from './seal.events.js';
export { SealedEventMissing, SealedLog } from './sealed-log.js';
export { LogNotClaimed, Sealer, SealKeyMissing } from './sealer.js';
export { Sealing } from './sealing.js';
export { type NamedEvent, type SealCheck, verifySeals } from './verify-log.js';
