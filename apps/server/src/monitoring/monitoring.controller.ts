import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Monitoring } from '#lib/engine';
import type {
  CollapseMetrics,
  DecisionRecord,
  Exemplar,
  InboxItem,
  MachineAlignment,
  ModelSummary,
  Page,
} from '#lib/projections';
import { one, pageOf } from '../docs/answer-schema.js';
import { Answers } from '../docs/answers.decorator.js';
import { machineNamePipe } from '../requests/id.pipe.js';
import { ReadParams } from '../requests/read-params.js';
import { AlignmentParams } from './alignment-params.js';
import { DecisionListParams } from './decision-list-params.js';
import { ExemplarListParams } from './exemplar-list-params.js';
import { InboxParams } from './inbox-params.js';
import { ModelStatisticsParams } from './model-statistics-params.js';

/** A machine that nobody defined may have run all the same: it came along with a session. None is unknown here. */
@ApiTags('monitoring')
@Controller('v1')
export class MonitoringController {
  constructor(private readonly monitoring: Monitoring) {}

  @Get('machines/:name/metrics')
  @Answers({
    summary: 'How far the decisions of a machine have come to need no person',
    schema: one('CollapseMetrics'),
    problems: [404, 503],
  })
  metrics(
    @Param('name', machineNamePipe) name: string,
    @Query() params: ReadParams,
  ): Promise<CollapseMetrics> {
    return this.monitoring.metrics(name, params);
  }

  @Get('machines/:name/decisions')
  @Answers({
    summary: 'Every executed transition with what it rested on, newest first',
    schema: pageOf('Decision'),
    problems: [404, 503],
  })
  decisions(
    @Param('name', machineNamePipe) machineName: string,
    @Query() params: DecisionListParams,
  ): Promise<Page<DecisionRecord>> {
    return this.monitoring.decisions(Object.assign({ machineName }, params), params, params);
  }

  @Get('machines/:name/alignment')
  @Answers({
    summary: 'How well each proposer agrees with people, as a rule scores it',
    schema: one('MachineAlignment'),
    problems: [404, 503],
  })
  alignment(
    @Param('name', machineNamePipe) name: string,
    @Query() params: AlignmentParams,
  ): Promise<MachineAlignment> {
    return this.monitoring.alignment(name, params.rule, params);
  }

  @Get('machines/:name/exemplars')
  @Answers({ summary: 'What people decided, newest first', schema: pageOf('Exemplar'), problems: [404, 503] })
  exemplars(
    @Param('name', machineNamePipe) machineName: string,
    @Query() params: ExemplarListParams,
  ): Promise<Page<Exemplar>> {
    return this.monitoring.exemplars(Object.assign({ machineName }, params), params, params);
  }

  @Get('inbox')
  @Answers({
    summary: 'Sessions that wait for a person, with the proposals before them, oldest first',
    schema: pageOf('InboxItem'),
    problems: [503],
  })
  inbox(@Query() params: InboxParams): Promise<Page<InboxItem>> {
    return this.monitoring.inbox(params, params, params);
  }

  @Get('models')
  @Answers({
    summary: 'Calls, fallbacks, tokens, latency and cost by model, in all or by day',
    schema: one('ModelStatistics'),
    problems: [503],
  })
  async models(@Query() params: ModelStatisticsParams): Promise<{ readonly items: readonly ModelSummary[] }> {
    return { items: await this.monitoring.models(params, params) };
  }
}
