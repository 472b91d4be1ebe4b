import { useQuery } from '@tanstack/react-query';
import type { PersonView, Task } from '#lib/client';
import { usePrincipal } from '../data/principal.js';
import { server } from '../data/server.js';

/** The people as whom the caller can answer a task from this browser. */
export interface AnsweringPerson {
  /** People as whom the caller may act: on a server without a token. */
  readonly standIns: readonly string[];
  /** Why the caller cannot answer; absent if they can. */
  readonly whyNot?: string;
}

const MOST = 500;

/**
 * The caller and the candidates, read from the API. The server checks them again.
 * @param actAs the person as whom the caller chose to answer
 */
export function useAnsweringPerson(task: Task, actAs: string | undefined): AnsweringPerson {
  const { data: principal } = usePrincipal();
  const people = useQuery({
    queryKey: ['people', 'answering', principal?.personId],
    queryFn: () => peopleFor(principal?.personId),
    enabled: principal !== undefined,
  });
  if (!principal || !people.data) return { standIns: [], whyNot: '' };
  const { personId, role, mayActAs } = principal;
  const candidates = candidatesOf(task, people.data);
  const standIns = mayActAs && personId === undefined ? candidates : [];
  const me = personId ?? (standIns.length > 0 ? (actAs ?? standIns[0]) : undefined);
  const why = role === 'viewer' ? 'A viewer cannot answer.' : whyNot(task, me, candidates, mayActAs);
  return { standIns, ...(why !== undefined && { whyNot: why }) };
}

/** The caller, if they are a person: a page of a list may not have them. Else the people as whom they may act. */
async function peopleFor(personId: string | undefined): Promise<readonly PersonView[]> {
  if (personId !== undefined) return [await server().getPerson({ personId })];
  return (await server().listPeople({ limit: MOST })).items;
}

function whyNot(
  task: Task,
  me: string | undefined,
  candidates: readonly string[],
  mayActAs: boolean,
): string | undefined {
  const { claimedBy, assignee, kind } = task;
  if (claimedBy !== undefined && claimedBy !== me) return `${claimedBy} has claimed this task.`;
  if (assignee !== undefined && assignee !== me) return `This task is assigned to ${assignee}.`;
  if (me !== undefined) return candidates.includes(me) ? undefined : `${me} cannot answer this task.`;
  if (kind !== 'decision' && isForAll(task)) return undefined;
  return mayActAs
    ? 'No registered person can answer this task.'
    : 'People answer this task: log in with the token of a person.';
}

/** Whether the task names no candidates: every reviewer can answer it. */
function isForAll({ candidates: { people, groups } }: Task): boolean {
  return people.length === 0 && groups.length === 0;
}

/** Named people, people of named groups and the assignee, without those who are excluded; every reviewer if no candidates are named. */
function candidatesOf(task: Task, people: readonly PersonView[]): readonly string[] {
  const { candidates, excluded, assignee } = task;
  const isCandidate = ({ role, groups = [] }: PersonView) =>
    role !== 'viewer' && (isForAll(task) || groups.some((group) => candidates.groups.includes(group)));
  const ids = [...candidates.people, ...people.filter(isCandidate).map(({ personId }) => personId)];
  const all = [...ids, ...(assignee === undefined ? [] : [assignee])];
  return [...new Set(all)].filter((id) => !excluded.includes(id)).toSorted();
}
