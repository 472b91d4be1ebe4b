import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ArbiterFunctions, DuplicateFunction, ProposerFunctions } from '#lib/activities';
import { Redial, RedialModule, type RedialOptions } from '../index.js';

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
    dataDir = await mkdtemp(join(tmpdir(), 'redial-registrar-'));
  });

  afterEach(async () => {
    await app.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('knows the function of an arbiter under its id, and the log names it', async () => {
    await start();
    const registered = await redial.registerArbiter({ ...judge, strategyFn: undecided, threshold: 0.5 });
    expect(registered).toMatchObject({ ...judge, role: 'arbiter', strategyFnName: 'judge', threshold: 0.5 });
    expect(arbiters.arbiter('judge')).toBe(undecided);
  });

  it('gives an arbiter back after a restart, with the function of now', async () => {
    await start();
    await redial.registerArbiter({ ...judge, strategyFn: undecided });
    await app.close();
    await start();
    const another = () => ({ consensusReached: true });
    expect(await redial.registerArbiter({ ...judge, strategyFn: another })).toMatchObject(judge);
    expect(arbiters.arbiter('judge')).toBe(another);
  });

  it.each([
    ['a proposer of this id', { specialistId: 'clerk' }],
    ['another threshold', { threshold: 1 }],
    ['another machine', { machineName: 'other' }],
  ])('takes the function back where there is %s', async (_, members) => {
    await start();
    await redial.registerProposer({ ...judge, specialistId: 'clerk', strategyFnName: 'random' });
    await redial.registerArbiter({ ...judge, strategyFn: undecided });
    const registration = { ...judge, ...members, strategyFn: undecided };
    await expect(redial.registerArbiter(registration)).rejects.toThrow('the id is taken');
    expect(arbiters.arbiter(registration.specialistId)).toBeUndefined();
  });

  it('registers nothing where the members exclude each other', async () => {
    await start();
    const both = { ...judge, strategyFn: undecided, strategyFnName: 'firstProposal' };
    await expect(redial.registerArbiter(both)).rejects.toThrow('both strategyFn and strategyFnName');
    expect(arbiters.arbiter('judge')).toBeUndefined();
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

  it('never puts a function in the place of what is built in', async () => {
    await start();
    const strategyFn = () => ({ transitionName: 'approve' });
    const builtIn = app.get(ProposerFunctions).strategy('random');
    const proposer = { specialistId: 'random', machineName: 'refunds', strategyFn };
    await expect(redial.registerProposer(proposer)).rejects.toThrow(DuplicateFunction);
    expect(app.get(ProposerFunctions).strategy('random')).toBe(builtIn);
    const arbiter = { ...judge, specialistId: 'aheadByK', strategyFn: undecided };
    await expect(redial.registerArbiter(arbiter)).rejects.toThrow(DuplicateFunction);
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
