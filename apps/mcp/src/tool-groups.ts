import { operations } from '#lib/engine';
import { InvalidSetting } from '#lib/engine/core';
import { mcpToolOf, type Operation } from '#lib/operations';

/** The tools of its profile that a connection is shown. This is no right: a tool that is not listed can be called by its name. */
export interface Shown {
  /** Groups beside the default; `all` is every group. */
  readonly groups?: readonly string[];
  /** Answers have schemas, are structured, and are not shortened. */
  readonly outputSchemas?: boolean;
}

/**
 * Shown by default: definitions, reasons, tasks of people, and the tools to take part. Each definition of a tool costs context of the model.
 */
const DEFAULT: ReadonlySet<string> = new Set([
  'listMachines',
  'getMachine',
  'listSessions',
  'getSession',
  'whySession',
  'replaySession',
  'listTasks',
  'getDecisionLog',
  'createSession',
  'submitProposal',
  'runSession',
  'executeTransition',
]);

const ALL = 'all';

/** The first word of the path. */
function groupOf({ path }: Operation): string {
  return path.split('/')[2] ?? path;
}

/** In the order of the operations. */
export const toolGroups: readonly string[] = [
  ...new Set(operations.filter(({ mcp }) => mcp !== undefined).map(groupOf)),
];

export function isShown({ groups = [] }: Shown, operation: Operation): boolean {
  return DEFAULT.has(operation.id) || groups.includes(ALL) || groups.includes(groupOf(operation));
}

/**
 * The groups in a text, separated by commas.
 * @throws InvalidSetting for an unknown group
 */
export function readToolGroups(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => name !== ALL && !toolGroups.includes(name));
  if (unknown === undefined) return names;
  const fix = `Name some of ${[ALL, ...toolGroups].join(', ')}, with commas between them`;
  throw new InvalidSetting('--tools', `there is no group ${JSON.stringify(unknown.slice(0, 64))}`, fix);
}

/** How the tools work together; clients give it to the model once. */
export function instructionsFor(listed: readonly Operation[]): string {
  const names = new Map(listed.map((operation) => [operation.id, mcpToolOf(operation).name]));
  const parts = PARTS.filter(({ needs }) => needs.every((id) => names.has(id)));
  return parts.map(({ text }) => text).join('\n');
}

/** A sentence about tools is left out if one of them is not listed. */
const PARTS: readonly { readonly needs: readonly string[]; readonly text: string }[] = [
  {
    needs: [],
    text: 'Redial records how models and people decide. A machine has states with transitions; a session goes through a machine from state to state. In each state a round is decided: proposers propose transitions, an arbiter takes one of them or leaves the round to people.',
  },
  {
    needs: ['listMachines', 'getMachine', 'listSessions', 'getSession', 'whySession', 'getDecisionLog'],
    text: 'To look: list_machines, get_machine; list_sessions (by machineName, status, key, tag), get_session; why_session says how a session came to where it is; get_decision_log has what a machine decided; replay_session checks that the record gives the same decisions again.',
  },
  {
    needs: ['listTasks'],
    text: 'A session with the status needs_human waits for people: list_tasks says for whom and since when. No tool answers for people. After 409 waits-for-person do not call again; give the taskId to the person who may answer.',
  },
  {
    needs: ['createSession', 'runSession', 'submitProposal'],
    text: 'To take part: create_session with a machineName, then run_session until its status is done or needs_human. submit_proposal without transitionName asks that specialist; with it, it states your own proposal, for a specialist that this connection is bound to.',
  },
  {
    needs: ['executeTransition'],
    text: 'execute_transition decides a round as the operator, and is recorded so: call it only when your user told you to.',
  },
  {
    needs: [],
    text: 'Lists go on with their nextCursor as cursor. A long answer is shortened where it says so: ask for less by limit, or for one thing by its id. An error says in detail what failed, why, and how to go on, and names the member by errors[].path. A call that writes takes idempotencyKey: after a lost answer repeat it with the same key.',
  },
];
