// A shop in a Nest application: a model proposes, a person decides until the model is trusted, and methods are a tool and a function.
import { Inject, Injectable, Module, type OnApplicationBootstrap } from '@nestjs/common';
import {
  defineAgent,
  FlowFunction,
  optionsFrom,
  readEnvironment,
  Redial,
  RedialModule,
  RedialTool,
} from 'redial-engine';

// #region machine
const refunds = {
  machineName: 'refunds',
  initialState: 'asked',
  goalState: 'closed',
  trust: { minComparisons: 10, minAlignment: 0.6 },
  specialists: [
    {
      role: 'proposer',
      specialistId: 'clerk',
      modelId: 'gpt-4o-mini',
      contextTemplate: 'Customer: {{metaJson.text}}',
    },
    { role: 'proposer', specialistId: 'lead', isHuman: true },
  ],
  states: {
    asked: {
      prompt: 'Pay the money back?',
      transitions: {
        pay: {
          target: 'closed',
          description: 'Pay money back to the customer.',
          parameters: { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] },
          onInvalidArguments: 'reask',
        },
        refuse: { target: 'closed', description: 'Pay nothing back.' },
      },
    },
    closed: {},
  },
} as const;
// #endregion

// #region agent
const receptionist = defineAgent({
  agentName: 'receptionist',
  model: 'gpt-4o-mini',
  schema: { type: 'object', properties: { order: { type: 'integer' } } },
  tools: ['find_order'],
  flows: [
    {
      title: 'Where is my order',
      if: [{ fn: 'isOpen' }],
      requiredFields: ['order'],
      steps: [{ prompt: 'Ask for the number of the order', collect: ['order'] }],
    },
  ],
});
// #endregion

// #region provider
@Injectable()
export class Shop implements OnApplicationBootstrap {
  constructor(@Inject(Redial) private readonly redial: Redial) {}

  /** Redial takes calls from here on, not in a constructor or in `onModuleInit`. A repeated definition changes nothing. */
  async onApplicationBootstrap(): Promise<void> {
    await this.redial.defineMachine(refunds);
    await this.redial.defineAgent(receptionist);
  }

  @RedialTool({
    toolId: 'find_order',
    description: 'An order by its number',
    parameters: { type: 'object', properties: { order: { type: 'integer' } }, required: ['order'] },
    policy: { readOnly: true },
  })
  findOrder({ order }: { order: number }) {
    return { order, sentOn: '2026-03-02' };
  }

  @FlowFunction('isOpen')
  isOpen(): boolean {
    return true;
  }

  /** With the status `needs_human`, the request and the model's proposal are in `redial.getInbox()`. */
  async ask(text: string): Promise<{ readonly sessionId: string; readonly status: string }> {
    const { sessionId } = await this.redial.createSession({ machineName: 'refunds', metaJson: { text } });
    const { status } = await this.redial.runSession({ sessionId });
    return { sessionId, status };
  }

  /** Accepts a proposal, or pays another amount. */
  async accept(sessionId: string, proposalId: string, amount?: number): Promise<void> {
    const edit = amount === undefined ? {} : { metaJson: { amount } };
    await this.redial.decide({ sessionId, specialistId: 'lead', proposalId, ...edit });
  }

  async refuse(sessionId: string, reasoning: string): Promise<void> {
    await this.redial.decide({ sessionId, specialistId: 'lead', transitionName: 'refuse', reasoning });
  }
}

@Module({
  imports: [
    RedialModule.forRootAsync({ useFactory: () => optionsFrom(readEnvironment(process.env), process.env) }),
  ],
  providers: [Shop],
})
export class ShopModule {}
// #endregion
