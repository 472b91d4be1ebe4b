import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { isRejection } from '#lib/kernel';
import { pageOrThrow, type ReadOptions, refuse } from '#lib/operations';
import {
  type Accuracy,
  accuracyOf,
  type AccuracyQuestion,
  alignmentUnder,
  collapseMetrics,
  type CollapseMetrics,
  type DecisionFilter,
  type DecisionRecord,
  type Exemplar,
  type ExemplarFilter,
  type InboxItem,
  isKnownMachine,
  listDecisions,
  listExemplars,
  listInbox,
  type LlmStatisticsQuestion,
  type MachineAlignment,
  type ModelSummary,
  type Page,
  type PageRequest,
  type ProjectionName,
  type Rows,
  summarizeLlmCalls,
  unknownPriceVersion,
} from '#lib/projections';
import { DECIDING_RULE, parseScoringRule, scoringRuleText } from '#lib/specialist';
import { unknownMachine } from '../machines/machine-catalog.js';
import { askRows } from '../read-side/ask-rows.js';
import { EngineSettings } from '../settings/engine-settings.js';
import { type MachineOption, specialistName } from '../specialists/specialist-name.js';

/** Looks at how a machine's decisions go: who decides, who is trusted, what waits for a person, what it costs. Writes nothing. */
@Injectable()
export class Monitoring {
  constructor(
    private readonly queries: QueryBus,
    private readonly settings: EngineSettings,
  ) {}

  /** How far a machine's decisions have come to need no person, with what its people should know. */
  metrics(machineName: string, options?: ReadOptions): Promise<CollapseMetrics> {
    return this.ofMachine(
      machineName,
      ['decisions', 'alignment', 'specialists'],
      (db) => collapseMetrics(db, machineName),
      options,
    );
  }

  /** Every executed transition, with what it rested on, newest first. */
  async decisions(
    filter: DecisionFilter,
    page?: PageRequest,
    options?: ReadOptions,
  ): Promise<Page<DecisionRecord>> {
    return pageOrThrow(
      await this.ofMachine(
        filter.machineName,
        ['decisions'],
        (db) => listDecisions(db, filter, page),
        options,
      ),
    );
  }

  /**
   * How well each proposer agrees with people, as a rule scores it: `wilson`, `ratio`, each with or without `;halfLife=n`.
   * Sessions go by `wilson` whatever is asked here. @throws RejectionError for an unknown rule
   */
  alignment(
    machineName: string,
    rule = scoringRuleText(DECIDING_RULE),
    options?: ReadOptions,
  ): Promise<MachineAlignment> {
    const chosen = parseScoringRule(rule);
    if (isRejection(chosen)) return refuse(chosen);
    return this.ofMachine(
      machineName,
      ['alignment'],
      (db) => alignmentUnder(db, { machineName, rule: chosen }),
      options,
    );
  }

  /** What people decided, newest first: examples to learn from. */
  async exemplars(
    filter: ExemplarFilter,
    page?: PageRequest,
    options?: ReadOptions,
  ): Promise<Page<Exemplar>> {
    return pageOrThrow(
      await this.ofMachine(
        filter.machineName,
        ['exemplars'],
        (db) => listExemplars(db, filter, page),
        options,
      ),
    );
  }

  /** Sessions that wait for a person, with the proposals before them, oldest first. */
  async inbox(
    filter: { readonly machineName?: string } = {},
    page?: PageRequest,
    options?: ReadOptions,
  ): Promise<Page<InboxItem>> {
    return pageOrThrow(
      await askRows(this.queries, ['sessions', 'proposals'], (db) => listInbox(db, filter, page), options),
    );
  }

  /** How a specialist did in decided rounds, from what is recorded. @throws RejectionError where nobody is registered under this id */
  async accuracy(
    specialistId: string,
    question: AccuracyQuestion,
    options: ReadOptions & MachineOption = {},
  ): Promise<Accuracy> {
    const name = specialistName(specialistId, options);
    const accuracy = await askRows(
      this.queries,
      ['decisions', 'specialists'],
      (db) => accuracyOf(db, name, question),
      options,
    );
    return isRejection(accuracy) ? refuse(accuracy) : accuracy;
  }

  /**
   * Calls, fallbacks, tokens, latency and cost by model, in all or by day. Prices are the engine's own (`prices`).
   * @throws RejectionError for a version that is not among them
   */
  async models(
    question: Omit<LlmStatisticsQuestion, 'prices'> = {},
    options?: ReadOptions,
  ): Promise<readonly ModelSummary[]> {
    const { prices } = this.settings;
    const unknown = unknownPriceVersion(prices, question.priceVersion);
    if (unknown) return refuse(unknown);
    return askRows(
      this.queries,
      ['llm_calls'],
      (db) => summarizeLlmCalls(db, { ...question, prices }),
      options,
    );
  }

  /** @throws RejectionError where a machine is named that was neither defined nor ever run */
  private async ofMachine<Answer extends object, Name extends ProjectionName>(
    machineName: string | undefined,
    projections: readonly Name[],
    question: (db: Rows<Name>) => Promise<Answer>,
    options?: ReadOptions,
  ): Promise<Answer> {
    const all = ['machines', 'sessions', ...projections] as const;
    const ask = async (db: Rows<Name | 'machines' | 'sessions'>) =>
      machineName === undefined || (await isKnownMachine(db, machineName)) ? question(db) : undefined;
    return (await askRows(this.queries, all, ask, options)) ?? refuse(unknownMachine(machineName ?? ''));
  }
}
