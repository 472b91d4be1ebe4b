import { useState } from 'react';
import type { Task } from '#lib/client';
import { fieldsFor, fieldsOf } from '../forms/fields.js';
import { useForm } from '../forms/use-form.js';
import { AnswerForm } from './answer-form.js';
import { type Choice, proposalsOf, schemaOf } from './task-types.js';
import type { Answering } from './use-answering.js';

/** Any transition of the state, also one without a proposal. */
export function TransitionChoice({
  task,
  answering,
}: {
  readonly task: Task;
  readonly answering: Answering;
}) {
  const choices = task.choices.filter(({ choice }) => choice === 'transition');
  const [chosen, setChosen] = useState<string>();
  const choice = choices.find(({ transitionName }) => transitionName === chosen);
  if (choices.length === 0) return null;
  return (
    <section className="card" aria-label="Choose">
      <h2>{proposalsOf(task).length === 0 ? 'Choose' : 'Or choose yourself'}</h2>
      <fieldset className="radios">
        <legend className="only-read">Transition</legend>
        {choices.map(({ transitionName = '', toState }) => (
          <label key={transitionName} className="radio">
            <input
              type="radio"
              name="transition"
              aria-label={transitionName}
              checked={transitionName === chosen}
              onChange={() => setChosen(transitionName)}
            />
            <span>
              {transitionName} <span className="dim">→ {toState}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {choice && (
        <ChosenTransition key={choice.transitionName} task={task} choice={choice} answering={answering} />
      )}
    </section>
  );
}

/** The arguments of the chosen transition, filled with those of a proposal for that transition. */
function ChosenTransition({
  task,
  choice,
  answering,
}: {
  readonly task: Task;
  readonly choice: Choice;
  readonly answering: Answering;
}) {
  const { transitionName = '' } = choice;
  const proposed = proposalsOf(task).find((one) => one.transitionName === transitionName)?.metaJson;
  const declared = fieldsOf(schemaOf(choice, 'metaJson'), 'Arguments');
  const form = useForm(fieldsFor(declared, 'Arguments', proposed), proposed);
  const answerOf = (value: unknown) => ({
    choice: 'transition',
    transitionName,
    ...(form.fields.length > 0 && { metaJson: value as object }),
  });
  return (
    <AnswerForm form={form} answering={answering} member="metaJson" action="Answer" answerOf={answerOf} />
  );
}
