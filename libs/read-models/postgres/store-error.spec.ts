import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from '@jest/globals';
import { StoreUnavailable } from '#lib/event-store';
import { DatabaseError, Pool } from 'pg';
import { ChangeRefused } from '../store/read-store.js';
import { storeErrorOf } from './store-error.js';

const WHAT = 'cannot write the read store db:5432/redial';

function databaseError(code: string): DatabaseError {
  return Object.assign(new DatabaseError('about "someone"', 0, 'error'), { code });
}

it.each([
  ['53100', /its disk or its memory is full \(53100\)\. Free space/],
  ['53300', /too many connections/],
  ['57P01', /starting or stopping/],
  ['28P01', /refused the user or the password/],
  ['25006', /can only be read/],
  ['40P01', /gave up waiting/],
  ['42501', /may not do this/],
  ['XX001', /the server failed/],
  ['ZZ000', /cannot be reached/],
])('says that the store is unavailable for %s, without the words of the server', (code, why) => {
  const told = storeErrorOf(WHAT, databaseError(code));
  expect(told).toBeInstanceOf(StoreUnavailable);
  expect(told).toMatchObject({ message: expect.stringMatching(why) });
  expect(told).not.toMatchObject({ message: expect.stringContaining('someone') });
});

it.each([
  ['ECONNREFUSED', /cannot be reached.*\(ECONNREFUSED\)/],
  ['ENOTFOUND', /no such host/],
  ['SELF_SIGNED_CERT_IN_CHAIN', /certificate/],
  ['', /cannot be reached, or the connection broke\. Check/],
])('says that the store is unavailable when the connection fails with %j', (code, why) => {
  const told = storeErrorOf(WHAT, Object.assign(new Error('to someone'), code === '' ? {} : { code }));
  expect(told).toBeInstanceOf(StoreUnavailable);
  expect(told).toMatchObject({ message: expect.stringMatching(why) });
});

it('says that the connections are in use when none becomes free in time', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const pool = new Pool({ host: '127.0.0.1', port, max: 1, connectionTimeoutMillis: 50 });
  const [first, second] = await Promise.allSettled([pool.connect(), pool.connect()]);
  expect(storeErrorOf(WHAT, (first as PromiseRejectedResult).reason)).toMatchObject({
    message: expect.stringContaining('cannot be reached'),
  });
  expect(storeErrorOf(WHAT, (second as PromiseRejectedResult).reason)).toMatchObject({
    message: expect.stringMatching(/none of the connections of this process became free in time\. Try again/),
  });
  await pool.end();
  silent.close();
});

it.each(['23505', '23502', '22003', '22021', '54000'])('says that a row was refused for %s', (code) => {
  expect(storeErrorOf(WHAT, databaseError(code))).toBeInstanceOf(ChangeRefused);
});

it.each(['42P01', '42601', '0A000'])('throws %s unchanged: a bug', (code) => {
  const bug = databaseError(code);
  expect(storeErrorOf(WHAT, bug)).toBe(bug);
});
