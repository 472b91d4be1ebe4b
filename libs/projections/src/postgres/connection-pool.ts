import { Pool, type PoolConfig } from 'pg';

/** A pool whose connections may break: who uses one is told by its answers, and one that nobody uses is replaced. */
export function connectionPool(config: PoolConfig): Pool {
  const pool = new Pool(config);
  const toldElsewhere = () => undefined;
  pool.on('error', toldElsewhere);
  pool.on('connect', (client) => client.on('error', toldElsewhere));
  return pool;
}
