import { Query } from '@nestjs/cqrs';
import { answeredBy, input, is, Operation, page, view } from '#lib/operations';
import { type Page, pageOfList } from '#lib/read-models';
import { runPageMembers, Runs } from '#lib/runs/runs';
import { transcriptOf } from './chat.rules.js';
import type { Said } from './code.input.js';
import { loadRunOfCode } from './run-of-code.js';

const ROLES = ['user', 'assistant', 'event', 'summary'] as const satisfies readonly Said['role'][];

export class TranscriptItemView extends view({
  role: is.oneOf(ROLES),
  text: is.text.about('The whole text; of a message of the code, without its components'),
  at: is.time.optional.about('Absent for messages from before the run'),
  messageId: is.text.optional.about('The component of a message that the code sent'),
  component: is.text.optional,
  props: is.object().optional,
  children: is.json().optional.about('Texts and elements: `{ component, props, children }`'),
  citations: is.json().optional.about('The citations in its texts: `{ path, id, offset, tag }`'),
}) {}

@Operation({
  summary: 'The conversation of a run of code, in order',
  http: 'GET /v1/runs/:runId/transcript',
  cli: 'runs transcript <runId>',
  access: 'viewer',
  answers: { 200: page(TranscriptItemView) },
  problems: [422],
})
export class GetTranscript extends input(Query<Page<TranscriptItemView>>, runPageMembers) {}

export const GetTranscriptHandler = answeredBy(
  GetTranscript,
  [Runs],
  async ({ runId, at, ...request }, runs) => {
    const { state } = await loadRunOfCode(await runs.at(runId, at), runId);
    return pageOfList(request, `transcript of run ${runId}`, transcriptOf(state));
  },
);
