import { IsIn, IsObject, IsString } from 'class-validator';
import type { Json, JsonObject } from '#lib/kernel';
import {
  answeredBy,
  Describe,
  IsId,
  IsJson,
  IsTime,
  Operation,
  Optional,
  page,
  PastPageQuery,
} from '#lib/operations';
import { type Page, pageOfList } from '#lib/read-models';
import { Runs } from '#lib/runs/runs';
import { runRejections } from '#lib/workflow';
import { transcriptOf } from './chat.rules.js';
import type { Said } from './code.input.js';
import { loadRunOfCode } from './run-of-code.js';

const ROLES = ['user', 'assistant', 'event', 'summary'] as const satisfies readonly Said['role'][];

export class TranscriptItemView {
  @IsIn(ROLES) role!: Said['role'];

  @Describe('All text; of a message of the code without its components')
  @IsString()
  text!: string;

  @Describe('Absent for what was said before the run')
  @Optional()
  @IsTime()
  at?: string;

  @Describe('The component of a message that the code sent')
  @Optional()
  @IsString()
  messageId?: string;

  @Optional() @IsString() component?: string;
  @Optional() @IsObject() props?: JsonObject;

  @Describe('Texts and elements: `{ component, props, children }`')
  @Optional()
  @IsJson()
  children?: Json;

  @Describe('Where its texts cite which sources: `{ path, id, offset, tag }`')
  @Optional()
  @IsJson()
  citations?: Json;
}

@Operation({
  summary: 'The conversation of a run of code, in order',
  http: 'GET /v1/runs/:runId/transcript',
  cli: 'runs transcript <runId>',
  access: 'viewer',
  answers: { 200: page(TranscriptItemView) },
})
export class GetTranscript extends PastPageQuery<Page<TranscriptItemView>> {
  @IsId(runRejections.unknownRun) runId!: string;
}

export const GetTranscriptHandler = answeredBy(
  GetTranscript,
  [Runs],
  async ({ runId, at, ...request }, runs) => {
    const { state } = await loadRunOfCode(await runs.at(runId, at), runId);
    return pageOfList(request, `transcript of run ${runId}`, transcriptOf(state));
  },
);
