import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { temporaryFolder } from '#lib/kernel/testing';
import { ArbiterFunctions } from '#lib/decisions/arbitration';
import { Redial } from './redial.js';
import { RedialModule } from './module/redial.module.js';
import type { RedialOptions } from './settings/redial-options.js';

const undecided = () => ({ consensusReached: false });
const judge = { specialistId: 'judge', machineName: 'refunds' };

describe('registering specialists by function', () => {
  let dataDir: string;
  let app: INestApplicationContext;
  let redial: Redial;
  let arbiters: ArbiterFunctions;

  async function start(options: RedialOptions = {}): Promise<void> {
    const settings = { ...options, dataDir };
    app = await NestFactory.createApplicationContext(RedialModule.forRoot(settings), { logger: ['error'] });
    redial = app.get(Redial);
    arbiters = app.get(ArbiterFunctions);
  }

  beforeEach(async () => {
    dataDir = temporaryFolder();
  });

  afterEach(async () => {
    await app.close();
  });

  it('knows the function of an arbiter by its machine and id, and the log names it', async () => {
    await start();
    const registered = await redial.registerArbiter({ ...judge, strategyFn: undecided, threshold: 0.5 });
    expect(registered).toMatchObject({
      ...judge,
      role: 'arbiter',
      strategyFnName: 'refunds/judge',
      threshold: 0.5,
    });
    expect(arbiters.arbiter('refunds/judge')).toBe(undecided);
  });

  it('gives an arbiter back after a restart, with the function of now', async () => {
    await start();
    await redial.registerArbiter({ ...judge, strategyFn: undecided });
    await app.close();
    await start();
    const another = () => ({ consensusReached: true });
    expect(await redial.registerArbiter({ ...judge, strategyFn: another })).toMatchObject(judge);
    expect(arbiters.arbiter('refunds/judge')).toBe(another);
  });

  it('X-L5: takes the same model and the same person again, as the version that is there', async () => {
    await start();
    const clerk = { specialistId: 'clerk', machineName: 'refunds', contextTemplate: 't', modelId: 'm' };
    const ann = { specialistId: 'ann', machineName: 'refunds', isHuman: true };
    const first = await redial.registerProposer(ann);
    expect(first).toMatchObject({ version: 1, actorToken: expect.any(String) });
    await redial.registerProposer(clerk);
    await redial.disableSpecialist({ specialistId: 'clerk' });
    await app.close();
    await start();
    expect(await redial.registerProposer(clerk)).toMatchObject({ version: 1, enabled: false });
    const again = await redial.registerProposer(ann);
    expect(again).toMatchObject({ version: 1 });
    expect(again).not.toHaveProperty('actorToken');
  });

  it('X-T9: keeps the functions of two machines apart when their specialists have one id', async () => {
    await start();
    const other = () => ({ consensusReached: true });
    await redial.registerArbiter({ ...judge, strategyFn: undecided });
    await redial.registerArbiter({ ...judge, machineName: 'other', strategyFn: other });
    expect(arbiters.arbiter('refunds/judge')).toBe(undecided);
    expect(arbiters.arbiter('other/judge')).toBe(other);
    await expect(redial.getSpecialist({ specialistId: 'judge' })).rejects.toMatchObject({
      rejection: { code: 'ambiguous' },
    });
    await expect(redial.disableSpecialist({ specialistId: 'judge' })).rejects.toThrow('other, refunds');
    const of = { machineName: 'other' };
    expect(await redial.disableSpecialist({ specialistId: 'judge', ...of })).toMatchObject({
      ...of,
      enabled: false,
    });
    expect(await redial.getSpecialist({ specialistId: 'judge', machineName: 'refunds' })).toMatchObject({
      enabled: true,
    });
  });

  it('registers nothing when the members exclude each other', async () => {
    await start();
    const both = { ...judge, strategyFn: undecided, strategyFnName: 'firstProposal' };
    await expect(redial.registerArbiter(both)).rejects.toThrow('both strategyFn and strategyFnName');
    expect(arbiters.arbiter('refunds/judge')).toBeUndefined();
  });

  it('keeps the earlier function when a registration is refused', async () => {
    await start();
    await redial.registerArbiter({ ...judge, strategyFn: undecided });
    const another = { ...judge, strategyFn: () => ({ consensusReached: true }) };
    const refused = redial.registerArbiter(another, { idempotencyKey: '' });
    await expect(refused).rejects.toThrow('the idempotency key');
    expect(arbiters.arbiter('refunds/judge')).toBe(undecided);
  });

  it('lets arbiters name what is built in or registered in the process, and nothing else', async () => {
    await start({ arbiters: { ours: undecided } });
    for (const strategyFnName of ['firstProposal', 'alignmentMargin', 'aheadByK', 'ours']) {
      const registration = { machineName: 'refunds', specialistId: strategyFnName, strategyFnName };
      expect(await redial.registerArbiter(registration)).toMatchObject(registration);
    }
    const unheardOf = redial.registerArbiter({ ...judge, strategyFnName: 'firstAvailable' });
    await expect(unheardOf).rejects.toThrow('registered are firstProposal, alignmentMargin, aheadByK, ours');
  });

  it('takes webhooks for proposers and arbiters, without asking them anything', async () => {
    await start();
    const hook = { strategyWebhookUrl: 'https://hooks.invalid/', webhookTokenName: 'WEBHOOK_TOKEN' };
    const arbiter = await redial.registerArbiter({ ...judge, ...hook });
    expect(arbiter).toMatchObject({ ...judge, ...hook, role: 'arbiter' });
    const facts = { contextWebhookUrl: 'https://hooks.invalid/', webhookTokenName: 'WEBHOOK_TOKEN' };
    const proposer = { ...judge, specialistId: 'clerk', ...facts, modelId: 'm' };
    expect(await redial.registerProposer(proposer)).toMatchObject(proposer);
    const malformed = { ...proposer, specialistId: 'other', modelId: 'm[tools' };
    await expect(redial.registerProposer(malformed)).rejects.toThrow('InvalidSpecialist');
  });
});
