import { IsBoolean, IsString } from 'class-validator';
import { type LlmProvider, LlmProviders, publicUrl } from '#lib/activities';
import { DEFAULT_PROVIDER } from '#lib/call-rules';
import { answeredBy, Describe, IsListOf, Operation, ReadQuery } from '#lib/operations';

export class ModelProvider {
  @Describe('The first part of the models that are asked there: `<provider>/<model>`')
  @IsString()
  provider!: string;

  @Describe('Without credentials')
  @IsString()
  baseUrl!: string;

  @Describe('Whether this process has a key for it')
  @IsBoolean()
  hasKey!: boolean;

  @Describe('Asked for every model that names no provider')
  @IsBoolean()
  default!: boolean;
}

export class ModelProviders {
  @IsListOf(ModelProvider) items!: readonly ModelProvider[];
}

@Operation({
  summary: 'The providers of models that this process is configured for',
  http: 'GET /v1/providers',
  cli: 'providers',
  access: 'viewer',
  answers: { 200: ModelProviders },
})
export class ListProviders extends ReadQuery<ModelProviders> {}

export const ListProvidersHandler = answeredBy(ListProviders, [LlmProviders], async (_, providers) => {
  const items = providers.names.map((name) => shown(name, providers.named(name) as LlmProvider));
  return Promise.resolve({ items });
});

function shown(provider: string, { baseUrl, apiKey }: LlmProvider): ModelProvider {
  const hasKey = apiKey !== undefined;
  return { provider, baseUrl: publicUrl(baseUrl), hasKey, default: provider === DEFAULT_PROVIDER };
}
