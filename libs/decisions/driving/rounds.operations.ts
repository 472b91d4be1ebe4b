export { CloseSession, CloseSessionHandler } from './close-session.operation.js';
export { SubmitArbitration, SubmitArbitrationHandler } from './submit-arbitration.operation.js';
export { SubmitProposal, SubmitProposalHandler } from './submit-proposal.operation.js';
export { TickAll, TickAllHandler } from './tick-all.operation.js';
