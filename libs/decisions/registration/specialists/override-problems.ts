import { engineMemberRefusal, parseModelId, templateProblem } from '#lib/call-rules';
import type { ProposerOverrides } from '#lib/decisions/session';
import { below, type Problem, RedialError, reject, type Rejection, withoutClass } from '#lib/kernel';

/** The members of a question to a model: of a registration, or of an override. */
type AskedWith = Pick<
  ProposerOverrides,
  'modelId' | 'backupModels' | 'systemPrompt' | 'contextTemplate' | 'modelParameters'
>;

/** The problems of templates and of the names of models, each with a pointer to its member. */
export function overrideProblems(given: AskedWith): readonly Problem[] {
  const { modelId, backupModels = [], systemPrompt, contextTemplate } = given;
  return [
    ...templateProblems('contextTemplate', contextTemplate),
    ...templateProblems('systemPrompt', systemPrompt),
    ...(modelId === undefined ? [] : modelIdProblems('/modelId', modelId)),
    ...backupModels.flatMap((one, index) => modelIdProblems(`/backupModels/${index}`, one)),
  ];
}

/** The rejection of overriding members; `undefined` without a known problem. @param base the JSON pointer to them in the input */
export function overrideRefusal(what: string, given: AskedWith, base: string): Rejection | undefined {
  const problems = below(base, overrideProblems(given)).map(({ path, message }) => ({
    path,
    message: withoutClass(message),
  }));
  const [first] = problems;
  if (!first) return engineMemberRefusal(`${base}/modelParameters`, given.modelParameters);
  const code = /\/(?:modelId|backupModels\/\d+)$/.test(first.path) ? 'invalid-model' : 'invalid-specialist';
  return reject('refused', code, { what, why: first.message, fix: 'Correct it and send it again' }, problems);
}

function templateProblems(member: string, template: string | undefined): readonly Problem[] {
  const problem = template === undefined ? undefined : templateProblem(template, member);
  return problem ? [problem] : [];
}

function modelIdProblems(path: string, modelId: string): readonly Problem[] {
  try {
    parseModelId(modelId);
    return [];
  } catch (error) {
    if (error instanceof RedialError) return [{ path, message: error.message }];
    throw error;
  }
}
