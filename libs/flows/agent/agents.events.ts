// The names of these events and of their members are the storage format: logs of every release hold them.
// Add members as optional ones; to rename or to change a meaning, raise the version and write an upcaster.
import type { DeclaredEvents } from '#lib/event-store';
import type { Event } from '#lib/kernel';
import type { Agent } from './agent-definition.js';

/** One version of an agent. */
export type AgentVersion = {
  /** 1, 2, … without gaps. */
  readonly version: number;
  /** SHA-256 of the JSON text of the definition. */
  readonly hash: string;
  /** Normalized. */
  readonly definition: Agent;
};

/** An agent was defined for the first time (version 1), or changed. */
export type AgentDefined = Event<'AgentDefined', { readonly agentName: string } & AgentVersion>;

/** The definition of an existing version was given again: that version is current from here on. */
export type AgentDefinedAgain = Event<
  'AgentDefinedAgain',
  { readonly agentName: string; readonly version: number }
>;

/** The events of a stream of the category `agent`; its id is the agent's name. */
export type AgentEvent = AgentDefined | AgentDefinedAgain;

export const agentEventDefinitions: DeclaredEvents<AgentEvent> = {
  AgentDefined: {
    version: 1,
    members: { agentName: 'structure', version: 'structure', hash: 'derived', definition: 'content' },
  },
  AgentDefinedAgain: { version: 1, members: { agentName: 'structure', version: 'structure' } },
};
