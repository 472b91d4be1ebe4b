import { IsId, ReplayReportBody } from '#lib/operations';

export class ReplayReport extends ReplayReportBody {
  @IsId() sessionId!: string;
}
