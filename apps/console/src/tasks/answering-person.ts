import { useQuery } from '@tanstack/react-query';
import type { PersonView, Task } from '#lib/client';
import { usePrincipal } from '../data/principal.js';
import { server } from '../data/server.js';

/** The people as whom a task can be answered from this browser. */
export interface AnsweringPerson {
  /** People whom the caller may act as: on a server without a token. */
  readonly standIns: readonly string[];
  /** Why the caller cannot answer; absent if they can. */
  readonly whyNot?: string;
}

/**
 * The caller and the candidates, as the API has them, put together; the server judges again.
 * @param actAs the person who was chosen to answer as
 */
export function useAnsweringPerson(task: Task, actAs: string | undefined): AnsweringPerson {
  const { data: principal } = usePrincipal();
  const mayActAs = principal?.mayActAs === true && principal.personId === undefined;
  const people = useQuery({
    queryKey: ['people'],
    queryFn: () => server().listPeople({ limit: 500 }),
    enabled: mayActAs,
  });
  const me = principal?.personId ?? actAs;
  const standIns = mayActAs ? candidatesOf(task, people.data?.items ?? []) : [];
  const whyNot = whyNotFor(task, me, principal?.role);
  return { standIns, ...(whyNot !== undefined && { whyNot }) };
}

function whyNotFor(task: Task, me: string | undefined, role: string | undefined): string | undefined {
  const { claimedBy, assignee, excluded, candidates } = task;
  if (role === 'viewer') return 'A viewer answers nothing.';
  if (claimedBy !== undefined && claimedBy !== me) return `${claimedBy} has claimed this task.`;
  if (assignee !== undefined && assignee !== me) return `This task is assigned to ${assignee}.`;
  if (me !== undefined && excluded.includes(me)) return `${me} is excluded from this task.`;
  const isNamed = candidates.groups.length > 0 || candidates.people.includes(me ?? '');
  return me !== undefined && !isNamed && assignee !== me ? `${me} is no candidate of this task.` : undefined;
}

/** Named people, and people of named groups, without those who are excluded. */
function candidatesOf({ candidates, excluded }: Task, people: readonly PersonView[]): readonly string[] {
  const ofGroups = people.filter(({ groups = [] }) =>
    groups.some((group) => candidates.groups.includes(group)),
  );
  const ids = [...candidates.people, ...ofGroups.map(({ personId }) => personId)];
  return [...new Set(ids)].filter((id) => !excluded.includes(id)).toSorted();
}
