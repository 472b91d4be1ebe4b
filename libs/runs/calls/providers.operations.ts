import { Query } from '@nestjs/cqrs';
import { type LlmProvider, LlmProviders, publicUrl } from '#lib/activities';
import { DEFAULT_PROVIDER } from '#lib/call-rules';
import { answeredBy, input, is, Operation, readMembers, view } from '#lib/operations';

export class ModelProvider extends view({
  provider: is.text.about('The first part of the models that are asked there: `<provider>/<model>`'),
  baseUrl: is.text.about('Without credentials'),
  hasKey: is.flag.about('Whether this process has a key for it'),
  default: is.flag.about('The provider of models that name none'),
}) {}

export class ModelProviders extends view({ items: is.listOf(ModelProvider) }) {}

@Operation({
  summary: 'The providers of models that this process is configured for',
  http: 'GET /v1/providers',
  cli: 'providers',
  access: 'viewer',
  answers: { 200: ModelProviders },
})
export class ListProviders extends input(Query<ModelProviders>, readMembers) {}

export const ListProvidersHandler = answeredBy(ListProviders, [LlmProviders], async (_, providers) => {
  const items = providers.names.map((name) => shown(name, providers.named(name) as LlmProvider));
  return Promise.resolve({ items });
});

function shown(provider: string, { baseUrl, apiKey }: LlmProvider): ModelProvider {
  const hasKey = apiKey !== undefined;
  return { provider, baseUrl: publicUrl(baseUrl), hasKey, default: provider === DEFAULT_PROVIDER };
}
