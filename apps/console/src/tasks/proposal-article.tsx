import type { Task } from '#lib/client';
import { FieldInputs } from '../forms/field-inputs.js';
import { fieldsFor, fieldsOf, jsonField } from '../forms/fields.js';
import { useForm } from '../forms/use-form.js';
import { count } from '../parts/format.js';
import { LongText, Readable } from '../parts/json-view.js';
import { type ProposalOfTask, schemaOf } from './task-types.js';
import type { Answering } from './use-answering.js';

interface ProposalArticleProps {
  readonly task: Task;
  readonly proposal: ProposalOfTask;
  /** Absent if the current person cannot answer. */
  readonly answering: Answering | undefined;
}

/** A proposal with its reasons. Its arguments can be edited before it is accepted. */
export function ProposalArticle({ task, proposal, answering }: ProposalArticleProps) {
  const { proposalId, transitionName, toState, metaJson, reasoning } = proposal;
  const choice = task.choices.find((one) => one.choice === 'accept' && one.proposalId === proposalId);
  const declared = fieldsOf(schemaOf(choice, 'metaJson'), 'Arguments');
  const fields =
    declared.length === 0 && metaJson ? [jsonField('Arguments')] : fieldsFor(declared, 'Arguments', metaJson);
  const form = useForm(fields, metaJson);
  const accept = () => {
    const found = form.read();
    if (!found || !answering) return;
    const edit = form.isEdited ? { metaJson: found.value as object } : {};
    answering.answer({ choice: 'accept', proposalId, ...edit }, form, '/metaJson');
  };
  return (
    <article className="card proposal" aria-label={`${transitionName}, proposed by ${proposal.specialistId}`}>
      <header>
        <h2>
          {transitionName} <span className="dim">→ {toState}</span>
        </h2>
        <Author proposal={proposal} />
      </header>
      {reasoning !== '' && (
        <blockquote>
          <LongText text={reasoning} />
        </blockquote>
      )}
      {answering ? (
        <>
          <FieldInputs fields={fields} texts={form.texts} problems={form.problems} onChange={form.change} />
          <p className="buttons">
            <button type="button" className="primary" disabled={answering.isPending} onClick={accept}>
              Accept
            </button>
            {form.isEdited && <span className="dim">with your changes</span>}
          </p>
        </>
      ) : (
        metaJson && <Readable value={metaJson} />
      )}
    </article>
  );
}

/** The rule of the score is a setting of the server, which a task does not name. */
const SCORE =
  'Not the share in which people agreed: the lower bound of it, unless the server scores by the ratio itself';

function Author({ proposal }: { readonly proposal: ProposalOfTask }) {
  const { specialistId, isHuman, alignmentScore, comparisons = 0 } = proposal;
  const known = comparisons > 0 && alignmentScore !== undefined;
  return (
    <p className="author">
      {specialistId}
      {isHuman && ' (a person)'}
      <span className="dim" title={known ? SCORE : undefined}>
        {known
          ? ` · alignment score ${alignmentScore.toFixed(2)} from ${count(comparisons, 'comparison')} with people`
          : ' · not compared with people yet'}
      </span>
    </p>
  );
}
