import { it } from '@jest/globals';
import { writeFileSync, appendFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { mkdtempSync } from 'node:fs';
import { SqliteEventStore } from '#lib/event-store-sqlite';
import { derivedId } from '#lib/kernel';
import { openLog, sessionCreated, solicitationStarted, sampleMachine } from './testing/sample-log.js';
import { llmCallCompleted, llmCallRequested, completion } from './testing/llm-events.js';
import { openSqliteReadStore, ProjectionRunner, projections } from './index.js';
import type { Change } from './store/statement.js';
import { changesOf } from './runner/changes-of.js';
import { connect } from './store/sqlite-connection.js';
import { prepareProjections } from './runner/checkpoints.js';

const out = (s: string) => appendFileSync('/tmp/bench.txt', s + '\n');
const uuid = (n: string) => derivedId('7d1f2c0e-6f52-4e4f-8a3c-2f1d9b7a5e60', n);

it('bench', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'bench-'));
  const store = await SqliteEventStore.open(join(dir, 'log.db'));
  const log = openLog(store);
  const reply = completion({ content: null, tool_calls: [{ id: 'c', function: { name: 'approve', arguments: JSON.stringify({ why: 'x'.repeat(300) }) } }] }, { prompt_tokens: 10, completion_tokens: 20 });
  let n = 0;
  const put = async (cat: 'session' | 'solicitation', id: string, session: string, events: any[]) => {
    await log.append(log.streams.of(cat, id), 'any', events.map((event) => ({ eventId: uuid(`e${n++}`), event, metadata: { occurredAt: new Date(1.7e12 + n).toISOString(), correlationId: session, causationId: 'c', commandId: 'c' + n, commandFingerprint: 'f', actor: 'o' } })));
  };
  // 10 events for each session: created, then (solicited, started, requested, completed, succeeded, submitted, executed) + ...
  const jobs: Promise<void>[] = [];
  for (let s = 0; s < 3125; s++) {
    const sid = uuid(`s${s}`);
    jobs.push((async () => {
      await put('session', sid, sid, [sessionCreated(sid)]);
      let round = uuid(`${sid}-round-0`);
      for (let r = 0; r < 2; r++) {
        const sol = uuid(`${sid}${r}`);
        const call = uuid(`${sol}c`);
        await put('session', sid, sid, [{ type: 'ProposalSolicited', data: { solicitationId: sol, roundId: round, specialistId: 'alice', given: {} } }]);
        const asked = llmCallRequested(call);
        (asked.data.requestBody as any).messages = [{ role: 'system', content: 'You choose. '.repeat(30) }, { role: 'user', content: 'Well? '.repeat(60) }];
        await put('solicitation', sol, sid, [solicitationStarted(sol, sid), asked, llmCallCompleted(call, reply), { type: 'SolicitationSucceeded', data: { transitionName: 'approve', toState: 'constructor', reasoning: 'r'.repeat(200), rung: 'tools' } }]);
        const pid = uuid(`${sol}p`);
        const next = uuid(`${sid}${r}n`);
        await put('session', sid, sid, [{ type: 'ProposalSubmitted', data: { proposalId: pid, roundId: round, specialistId: 'alice', isHuman: false, transitionName: 'approve', toState: 'constructor', reasoning: 'r'.repeat(200), solicitationId: sol } },
          { type: 'TransitionExecuted', data: { roundId: round, nextRoundId: next, transitionName: 'approve', fromState: 'draft', toState: 'constructor', reasoning: 'r'.repeat(200), isHuman: false, proposalId: pid } }]);
        round = next;
      }
      await put('session', sid, sid, [{ type: 'ProposalSolicited', data: { solicitationId: uuid(`${sid}x`), roundId: round, specialistId: 'bob', given: {} } }]);
    })());
    if (jobs.length === 250) { await Promise.all(jobs); jobs.length = 0; }
  }
  await Promise.all(jobs);
  out(`events ${n}`);
  // the log read once, all rows as changes
  let t = performance.now();
  const events = [];
  for (let from: any = undefined; ; ) {
    const page = await store.readAll({ limit: 128, ...(from ? { from } : {}) });
    if (page.length === 0) break;
    events.push(...page);
    from = page.at(-1)!.position;
  }
  out(`read log once ${(performance.now() - t).toFixed(0)} ms`);
  t = performance.now();
  for (const e of events) log.codec.decode(e);
  out(`decode once ${(performance.now() - t).toFixed(0)} ms`);
  const rd = new (await import('./runner/log-reader.js')).LogReader(log);
  for (let round = 0; round < 2; round++) {
    t = performance.now();
    const batches: Change[][] = [];
    for (const p of projections) for (let i = 0; i < events.length; i += 256) batches.push(events.slice(i, i + 256).flatMap((e) => changesOf(p, e, rd)));
    out(`plan all ${(performance.now() - t).toFixed(0)} ms`);
    const count = batches.reduce((a, b) => a + b.length, 0);
    // bare
    const bareFile = join(dir, `bare${round}.db`);
    const prep = await openSqliteReadStore(bareFile);
    await prep.write(prepareProjections(projections));
    const compiled = new Map<unknown, { sql: string; parametersOf(v: any): any[] }>();
    const flat = batches.map((b) => b.map((c) => {
      let k = compiled.get(c.template); if (!k) { k = c.template.compile(prep.db); compiled.set(c.template, k); }
      return [k.sql, k.parametersOf(c.values)] as const;
    }));
    await prep.close();
    const db = connect(bareFile, { readonly: false });
    db.pragma('journal_mode=WAL');
    const st = new Map<string, Database.Statement>();
    for (const k of compiled.values()) st.set(k.sql, db.prepare(k.sql));
    t = performance.now();
    const tx = db.transaction((b: (readonly [string, any[]])[]) => { for (const [sql, ps] of b) st.get(sql)!.run(ps); });
    for (const b of flat) tx.immediate(b as any);
    const bare = performance.now() - t;
    db.close();
    t = performance.now();
    const rs = await openSqliteReadStore(join(dir, `read${round}.db`));
    const runner = new ProjectionRunner(log, rs, projections);
    await runner.start();
    await runner.caughtUpWithHead(300_000);
    const ours = performance.now() - t;
    await runner.stop();
    await rs.close();
    out(`changes ${count}; bare ${bare.toFixed(0)} ms; runner ${ours.toFixed(0)} ms = ${(n / ours * 1000).toFixed(0)} events/s; ratio ${(bare / ours).toFixed(2)}`);
    for (const p of [] as typeof projections[number][]) {
      t = performance.now();
      const rs = await openSqliteReadStore(join(dir, `read${round}${p.name}.db`));
      const runner = new ProjectionRunner(log, rs, [p]);
      await runner.start();
      await runner.caughtUpWithHead(300_000);
      out(`   ${p.name} ${(performance.now() - t).toFixed(0)}`);
      await runner.stop();
      await rs.close();
    }
  }
  await store.close();
}, 600_000);
