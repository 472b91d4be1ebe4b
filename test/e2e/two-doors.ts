import { expect } from '@jest/globals';
import type { Session } from '#lib/decisions/driving';
import type { Redial } from '#lib/engine';
import type { TestEngine } from '../support/engine.js';
import { equal, type Filters, itemsOf, labelled, membersIn, valuesOf, without } from './two-doors.filters.js';
import { countsOf, isOpen, PEOPLE, type Task, taskFilters } from './two-doors.tasks.js';

const all = { limit: 500 };

type Summary = Omit<Session, 'machine'>;
type List = (query: object) => Promise<{ readonly items: readonly object[] }>;

/** Compares the lists of an engine with its single views of the same things. */
export class Doors {
  readonly #redial: Redial;
  /** Where two doors say different things. */
  #differences: string[] = [];

  constructor(private readonly engine: Pick<TestEngine, 'redial' | 'log'>) {
    this.#redial = engine.redial;
  }

  /** Looks again if something went on meanwhile. @returns what the lists say */
  async check(): Promise<object> {
    const { store } = this.engine.log;
    for (let before = await store.head(); ;) {
      this.#differences = [];
      const seen = await this.#look();
      const after = await store.head();
      if (after === before) {
        expect(this.#differences).toEqual([]);
        return seen;
      }
      before = after;
    }
  }

  async #look(): Promise<object> {
    const sessions = await this.#sessions();
    const tasks = await this.#tasks();
    await this.#inbox(sessions, tasks);
    const decisions: object[] = [];
    for (const machineName of new Set(sessions.map((one) => one.machineName)))
      decisions.push(await this.#decisions(machineName, sessions));
    return { sessions, tasks, decisions, runs: await this.#runs() };
  }

  #same(what: string, one: unknown, other: unknown): void {
    try {
      expect(one).toEqual(other);
    } catch (error) {
      this.#differences.push(`${what}: ${String(error)}`);
    }
  }

  async #filtered<Of extends object>(
    id: string,
    items: readonly Of[],
    filters: Filters<Of>,
    list: List,
  ): Promise<void> {
    const idsOf = (found: readonly object[]) => itemsOf({ items: found }).map((item) => item[id]);
    for (const [query, fits] of filters) {
      const { items: found } = await list({ ...query, ...all });
      const fitting = items.filter(fits);
      this.#same(`${id} by ${JSON.stringify(query)}`, idsOf(found), idsOf(fitting));
    }
  }

  async #sessions(): Promise<readonly Summary[]> {
    const redial = this.#redial;
    const { items } = await redial.listSessions(all);
    for (const { sessionId, ...item } of items) {
      const { machine: _, ...session } = await redial.getSession({ sessionId });
      this.#same(`session ${sessionId}`, { sessionId, ...item }, session);
      const past = await redial.getSessionAt({ sessionId, revision: session.revision });
      this.#same(`session ${sessionId} of the log`, without(past, 'machine'), session);
    }
    const listed = itemsOf({ items });
    const filters = [...equal(listed, 'machineName', 'currentState', 'status'), ...labelled(listed)];
    await this.#filtered('sessionId', listed, filters, (query) => redial.listSessions(query));
    return items;
  }

  async #runs(): Promise<readonly object[]> {
    const redial = this.#redial;
    const { items } = await redial.listRuns(all);
    for (const item of items)
      this.#same(
        `run ${item.runId}`,
        item,
        without(await redial.getRun({ runId: item.runId }), 'input', 'result', 'isInternal'),
      );
    const listed = itemsOf({ items });
    const filters = [...equal(listed, 'workflow', 'status'), ...labelled(listed)];
    await this.#filtered('runId', listed, filters, (query) => redial.listRuns(query));
    return items;
  }

  async #tasks(): Promise<readonly Task[]> {
    const redial = this.#redial;
    const { items } = await redial.listTasks({ status: 'all', ...all });
    for (const item of items)
      this.#same(`task ${item.taskId}`, item, await redial.getTask({ taskId: item.taskId }));
    await this.#filtered('taskId', items, taskFilters(items), (query) => redial.listTasks(query));
    for (const actor of Object.keys(PEOPLE))
      this.#same(`counts of ${actor}`, await redial.countTasks({}, { actor }), countsOf(actor, items));
    return items;
  }

  /** It has the tasks for which people are waited for: while a new proposal is judged, a task is open and nobody is. */
  async #inbox(sessions: readonly Summary[], tasks: readonly Task[]): Promise<void> {
    const { items } = await this.#redial.getInbox(all);
    const needing = new Set(
      sessions.flatMap(({ status, sessionId }) => (status === 'needs_human' ? [sessionId] : [])),
    );
    const open = itemsOf({
      items: tasks.filter(isOpen).map(({ about, reason, detail, since, kind, proposals }) => {
        const ids = (proposals as { proposalId: string }[] | undefined)?.map(({ proposalId }) => proposalId);
        return { ...about, kind, since, ids, ...(kind === 'decision' && { reason, detail }) };
      }),
    }).filter(({ kind, sessionId }) => kind !== 'decision' || needing.has(sessionId as string));
    const waiting = items.map((item) => {
      const ids = item.kind === 'decision' ? item.proposals.map(({ proposalId }) => proposalId) : undefined;
      return Object.assign({}, item, { ids });
    });
    const names = ['kind', 'sessionId', 'runId', 'roundId', 'since', 'reason', 'detail', 'ids', 'metaJson'];
    const sorted = (from: readonly object[]) =>
      from
        .map((item) => membersIn(item, Object.fromEntries(names.map((name) => [name, 1]))))
        .map((item) => JSON.stringify(item, names))
        .toSorted();
    this.#same('the inbox', sorted(waiting), sorted(open));
  }

  async #decisions(machineName: string, sessions: readonly Summary[]): Promise<object> {
    const redial = this.#redial;
    const { items } = await redial.getDecisionLog({ machineName, ...all });
    const listed = itemsOf({ items });
    await this.#filtered('position', listed, equal(listed, 'sessionId', 'how'), (query) =>
      redial.getDecisionLog({ machineName, ...query }),
    );
    for (const one of sessions) if (one.machineName === machineName) await this.#rounds(one);
    const metrics = await redial.getCollapseMetrics({ machineName });
    const count = (...hows: readonly string[]) => items.filter(({ how }) => hows.includes(how)).length;
    const { humanDecisions, operatorDecisions, totalDecisions } = metrics;
    this.#same(
      `metrics of ${machineName}`,
      [humanDecisions, operatorDecisions, totalDecisions],
      [count('override'), count('operator'), count('override', 'consensus')],
    );
    const { items: days } = await redial.getDecisionDays({ machineName });
    const people = days.reduce((sum, { humanDecisions }) => sum + humanDecisions, 0);
    this.#same(`days of ${machineName}`, people, humanDecisions);
    return { items, metrics, days };
  }

  async #rounds({ sessionId, machineName, history, currentRoundId }: Summary): Promise<void> {
    const { items } = await this.#redial.getDecisionLog({ machineName, sessionId, ...all });
    const decided = items.toReversed();
    this.#same(
      `decisions of ${sessionId}`,
      decided.map(({ winningProposalId, decidedAt, ...one }) => ({ ...one, winningProposalId, decidedAt })),
      history.map(
        (
          {
            proposalId: winningProposalId,
            executionTimestamp: decidedAt,
            decidedBy: _,
            metaJson: __,
            ...one
          },
          n,
        ) => Object.assign({}, decided[n], one, { winningProposalId, decidedAt }),
      ),
    );
    const proposals = (await this.#redial.listProposals({ sessionId, ...all })).items;
    const open = proposals.filter(({ status }) => status === 'open');
    this.#same(
      `rounds of open proposals of ${sessionId}`,
      valuesOf(itemsOf({ items: open }), 'roundId'),
      open.length === 0 ? [] : [currentRoundId],
    );
    for (const roundId of new Set(proposals.map((one) => one.roundId))) {
      const { items: found } = await this.#redial.listProposals({ sessionId, roundId, ...all });
      const ofRound = proposals.filter((one) => one.roundId === roundId);
      this.#same(`proposals of round ${roundId}`, found, ofRound);
    }
  }
}
