export { SubmitArbitration } from '../commands/submit-arbitration.command.js';
export { SubmitArbitrationHandler } from '../commands/submit-arbitration.handler.js';
export { SubmitProposal } from '../commands/submit-proposal.command.js';
export { SubmitProposalHandler } from '../commands/submit-proposal.handler.js';
export { TickAll } from '../commands/tick-all.command.js';
export { TickAllHandler } from '../commands/tick-all.handler.js';
