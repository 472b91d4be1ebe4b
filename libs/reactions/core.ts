export { Origins } from './origin.js';
export type { Reaction, ReactionDelivery } from './reaction.js';
export { reactionEventDefinitions } from './reaction.events.js';
export { ReactionStream } from './reaction-stream.js';
export { ReactionPlaces } from './reaction-status.js';
export { InvalidReaction, Reactions } from './reactions.js';
export { reactionsModel } from './reactions.read-model.js';
