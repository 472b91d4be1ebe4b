import type { Event } from '#lib/kernel';
import type { RunRequests } from '#lib/workflow';

/** How evaluations ask for solicitations, one for each sample, and take in their ends. */
export const sampleRequests: RunRequests = {
  category: 'evaluation',
  workflow: 'solicitation',
  askedBy: (event) => solicitationIn(event, 'SampleSolicited'),
  takenBy: (event) => solicitationIn(event, 'SampleJudged'),
};

function solicitationIn({ type, data }: Event, expected: string): string | undefined {
  const isIt = type === expected && 'solicitationId' in data && typeof data.solicitationId === 'string';
  return isIt ? (data.solicitationId as string) : undefined;
}
