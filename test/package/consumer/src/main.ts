// A bare Nest application that has installed the package: what a user writes, compiled and run against what is published.
import 'reflect-metadata';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Redial, RedialModule } from 'redial-engine';
import { validateMachine } from 'redial-engine/machine';
import { parseModelId } from 'redial-engine/solicitation';

const machine = {
  machineName: 'door',
  initialState: 'closed',
  goalState: 'open',
  states: { closed: { transitions: { push: 'open' } }, open: {} },
};

// #region nest
@Injectable()
class Doorman {
  constructor(private readonly redial: Redial) {}

  async letIn(): Promise<boolean> {
    await this.redial.defineMachine(machine);
    await this.redial.registerProposer({
      specialistId: 'doorman',
      machineName: 'door',
      strategyFn: () => ({ transitionName: 'push', reasoning: 'Somebody knocked.' }),
    });
    const { sessionId } = await this.redial.createSession({ machineName: 'door' });
    const { proposalId, transitionName, toState } = await this.redial.submitProposal({
      sessionId,
      specialistId: 'doorman',
    });
    const session = await this.redial.executeTransition({ sessionId, transitionName, toState, proposalId });
    const replay = await this.redial.replaySession({ sessionId });
    return session.status === 'done' && replay.identical;
  }
}

@Module({
  imports: [RedialModule.forRootAsync({ useFactory: async () => ({ dataDir: './data' }) })],
  providers: [Doorman],
})
class AppModule {}
// #endregion

validateMachine(machine);
const app = await NestFactory.createApplicationContext(AppModule, { logger: ['error', 'warn'] });
const open = await app.get(Doorman).letIn();
await app.close();
if (!open || parseModelId('gpt-4o[tools=no]').useTools)
  throw new Error('The package does not do what it says.');
process.stdout.write('The package works in a bare Nest application.\n');
