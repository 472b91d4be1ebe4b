export { SubmitArbitration } from './submit-arbitration.operation.js';
export { SubmitArbitrationHandler } from './submit-arbitration.handler.js';
export { SubmitProposal } from './submit-proposal.operation.js';
export { SubmitProposalHandler } from './submit-proposal.handler.js';
export { TickAll } from './tick-all.operation.js';
export { TickAllHandler } from './tick-all.handler.js';
