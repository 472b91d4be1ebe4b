import { Pool, type PoolConfig } from 'pg';

/** A pool whose connections may break: queries on a broken connection fail, and a broken idle connection is replaced. */
export function connectionPool(config: PoolConfig): Pool {
  const pool = new Pool(config);
  const toldElsewhere = () => undefined;
  pool.on('error', toldElsewhere);
  pool.on('connect', (client) => client.on('error', toldElsewhere));
  return pool;
}
