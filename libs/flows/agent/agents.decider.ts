import { type Command, type Decider, jsonText, reject, type Rejection, sha256 } from '#lib/kernel';
import type { Agent } from './agent-definition.js';
import type { AgentEvent, AgentVersion } from './agents.events.js';

/** Every version of an agent, oldest first: conversations may start from any of them. */
interface AgentState {
  readonly versions: readonly AgentVersion[];
  /** The current version; 0 before the first. */
  readonly current: number;
}

export type DefineAgent = Command<'DefineAgent', { readonly definition: Agent }>;

/** The rules of an agent's versions. They reject no command: the handler sends only valid agents. */
export const agentDecider: Decider<AgentState, DefineAgent, AgentEvent> = {
  initialState: { versions: [], current: 0 },
  decide,
  evolve: (state, event) => {
    const { agentName: _, ...version } = event.data;
    if (event.type === 'AgentDefinedAgain') return { ...state, current: version.version };
    if (event.type !== 'AgentDefined') return state;
    return { versions: [...state.versions, version as AgentVersion], current: version.version };
  },
  record: () => ({}),
  rebuild: (_, [event]) => {
    if (event?.type !== 'AgentDefined') throw new TypeError('No AgentDefined event was given.');
    return { type: 'DefineAgent', data: { definition: event.data.definition } };
  },
};

/** The definition of an existing version makes that version current; any other definition is the next version. */
function decide(
  { data: { definition } }: DefineAgent,
  { versions, current }: AgentState,
): readonly AgentEvent[] {
  const { agentName } = definition;
  const hash = agentHash(definition);
  const known = versions.find((one) => one.hash === hash);
  if (!known) {
    const data = { agentName, version: versions.length + 1, hash, definition };
    return [{ type: 'AgentDefined', data }];
  }
  if (known.version === current) return [];
  return [{ type: 'AgentDefinedAgain', data: { agentName, version: known.version } }];
}

/** Two agents with one hash are the same agent. */
export function agentHash(agent: Agent): string {
  return sha256(jsonText(agent));
}

/** A version by its number, or the current one. */
export function agentVersion(state: AgentState, version = state.current): AgentVersion | undefined {
  return state.versions.find((one) => one.version === version);
}

export function unknownAgent(agentName: string, version?: number): Rejection {
  return reject('unknown', 'unknown-agent', {
    what: version === undefined ? `agent ${agentName}` : `version ${version} of agent ${agentName}`,
    why: 'no such agent is defined',
    fix: 'Check the name and the version, or define the agent first',
  });
}
