import { join } from 'node:path';
import type { Benchmark, Comparison } from '../comparison.js';
import { BareDecision } from '../fixtures/bare-decision.js';
import { openDecisionEngine } from '../fixtures/decision-engine.js';
import { OpenSessions } from '../fixtures/decision-machine.js';
import {
  AT_ONCE,
  bytesOfDecision,
  compareDecisions,
  decisionsPerComparison,
  GOALS_BESIDE_FLOOR,
  propose,
} from '../fixtures/decision-sides.js';
import { openPeer, type Peer, PEERS } from '../fixtures/peers.js';
import { PostgresServer } from '../servers/postgres-server.js';

/** The least accepted ratio to each peer, one after another and at once; undefined: no goal. */
const GOALS = {
  langgraph: [1, 1.5],
  dbos: [1, 1.5],
  emmett: [undefined, 1.5],
  'workflow-local': [1, 1.5],
  'workflow-postgres': [1, 1.5],
} as const;

/** One keyed proposal of a model, beside the same call made durable by other engines. Their packages are those of `apps/bench/peers`. */
export const peers: Benchmark = {
  name: 'peers',
  onlyByName: true,
  async open(folder) {
    const engine = await openDecisionEngine(join(folder, 'redial'));
    const postgres = await PostgresServer.start();
    const { modelUrl, redial } = engine;
    const bytes = await bytesOfDecision(engine);
    const bare = new BareDecision(join(folder, 'bare.sqlite'), modelUrl, bytes);
    const open = new OpenSessions();
    const ours = () => propose(redial, open.take());
    const sides: { readonly name: (typeof PEERS)[number]; readonly peer: Peer }[] = [];
    for (const name of PEERS) {
      const given = { modelUrl, body: bytes.body, folder, postgresUrl: await postgres.emptyPlace() };
      sides.push({ name, peer: await openPeer(name, given) });
    }
    await open.make(redial, (sides.length + 1) * 2 * decisionsPerComparison);
    const beside = (name: string, decide: () => Promise<unknown>, goals: readonly (number | undefined)[]) =>
      [AT_ONCE, 1].map((atOnce): Comparison =>
        compareDecisions({
          name: `peers-${name}`,
          other: name,
          goal: atOnce === 1 ? goals[0] : goals[1],
          atOnce,
          ours,
          bare: decide,
        }),
      );
    return {
      comparisons: [
        ...beside('bare', () => bare.decide(), GOALS_BESIDE_FLOOR),
        ...sides.flatMap(({ name, peer }) => beside(name, () => peer.decide(), GOALS[name])),
      ],
      async close() {
        for (const { peer } of sides) await peer.close();
        bare.close();
        await postgres.stop();
        await engine.close();
      },
    };
  },
};
