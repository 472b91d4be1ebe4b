import gossip, { type ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import { thrownText } from '#lib/kernel';

/** The time that the other nodes still get once one has answered. */
const GRACE_MS = 500;
const { VNodeState } = gossip.MemberInfo;

/** Asks a node for the members of its cluster. Rejects if it does not answer in time. */
type Ask = (endpoint: string, timeoutMs: number) => Promise<ClusterInfo>;

/** The answer of one node to a question about its cluster. */
interface Said {
  readonly by: string;
  readonly leader: string | undefined;
  readonly members: readonly string[];
}

/**
 * Finds the node that leads. All nodes are asked at once, so that a frozen one delays no other. A node that fell silent is a suspect: others may
 * still name it as the leader, but it is chosen again only after it has answered itself.
 */
export class LeaderFinder {
  readonly #suspects = new Set<string>();
  #members: readonly string[] = [];
  #named: string | undefined;

  /**
   * @param seeds `host:port`
   * @param isCluster if false, the only seed is the node to use, and is not asked for its cluster
   */
  constructor(
    private readonly seeds: readonly string[],
    private readonly isCluster: boolean,
    private readonly timeoutMs: number,
    private readonly ask: Ask,
  ) {}

  suspect(endpoint: string): void {
    this.#suspects.add(endpoint);
  }

  /** Takes the leader that another node has named. */
  named(endpoint: string): void {
    this.#named = endpoint;
  }

  /** `host:port` of the leader, or of the only node. @throws Error with the nodes that did not answer, and the reasons */
  async find(): Promise<string> {
    const named = this.#named;
    this.#named = undefined;
    if (named !== undefined && (await this.#answersForItself(named))) return named;
    const [only = ''] = this.seeds;
    return this.isCluster ? this.#askAll() : only;
  }

  async #answersForItself(endpoint: string): Promise<boolean> {
    if (!this.#suspects.has(endpoint)) return true;
    const answers = await this.#asked(endpoint).then(
      () => true,
      () => false,
    );
    if (answers) this.#suspects.delete(endpoint);
    return answers;
  }

  /** A suspect gets no more time than the grace after another node's answer. */
  #asked(endpoint: string): Promise<ClusterInfo> {
    return this.ask(endpoint, this.#suspects.has(endpoint) ? GRACE_MS : this.timeoutMs);
  }

  #askAll(): Promise<string> {
    const asked = [...new Set([...this.seeds, ...this.#members])];
    const failures: string[] = [];
    const leaders = new Set<string>();
    return new Promise((resolve, reject) => {
      let open = asked.length;
      let answers = 0;
      let grace: NodeJS.Timeout | undefined;
      const fail = () => {
        clearTimeout(grace);
        reject(new Error(`Failed to discover a leader. ${notFound(leaders, failures)}`));
      };
      const choose = () => {
        const leader = [...leaders].find((endpoint) => !this.#suspects.has(endpoint));
        if (leader !== undefined) {
          clearTimeout(grace);
          resolve(leader);
        } else if (open === 0) fail();
        else grace ??= setTimeout(fail, GRACE_MS);
      };
      const listenTo = async (endpoint: string) => {
        try {
          const info = await this.#asked(endpoint);
          answers += 1;
          this.#hear(said(endpoint, info), leaders);
        } catch (error) {
          failures.push(`${endpoint}: ${thrownText(error)}`);
        }
        open -= 1;
        if (answers > 0 || open === 0) choose();
      };
      for (const endpoint of asked) void listenTo(endpoint);
    });
  }

  #hear({ by, leader, members }: Said, leaders: Set<string>): void {
    this.#suspects.delete(by);
    this.#members = members;
    if (leader !== undefined) leaders.add(leader);
  }
}

function said(by: string, info: ClusterInfo): Said {
  const members = info.getMembersList().flatMap((member) => {
    const at = member.getHttpEndPoint();
    const isLeader = member.getIsAlive() && member.getState() === VNodeState.LEADER;
    return at ? [{ endpoint: `${at.getAddress()}:${at.getPort()}`, isLeader }] : [];
  });
  return {
    by,
    leader: members.find(({ isLeader }) => isLeader)?.endpoint,
    members: members.map(({ endpoint }) => endpoint),
  };
}

function notFound(leaders: ReadonlySet<string>, failures: readonly string[]): string {
  const silent = leaders.size > 0 ? [`${[...leaders].join(', ')} is named and does not answer`] : [];
  return [...silent, ...failures].join('; ') || 'No node names one';
}
