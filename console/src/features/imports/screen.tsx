/** Imports a spreadsheet in three steps: match its columns, fix its kinds, import it. */
import { imports as says, page as texts } from 'messages';
import type { Import } from '../../../../client/src/generated/objects.d.ts';
import { useActions } from '../../parts/actions.tsx';
import { Button } from '../../parts/button.tsx';
import { Radios } from '../../parts/choices.tsx';
import { Form } from '../../parts/form.tsx';
import { Failure, Heading, Skeleton } from '../../parts/loading.tsx';
import { resourceAt } from '../../records/description.ts';
import { Choose } from './choose.tsx';
import { Columns } from './columns.tsx';
import { Earlier, undoForm } from './earlier.tsx';
import { Fix } from './fix/fix.tsx';
import { Result, useSeen } from './result.tsx';
import { put, useSitting } from './sitting.ts';
import { Steps } from './steps.tsx';
import { checked, chosen, fixed, imported } from './work.ts';

export function Screen(): JSX.Element {
  const now = useSitting();
  const { at, file, options, question, look, outcome, progress, error } = now;
  const failure = useSeen<HTMLDivElement>(error);
  const { dialog, ask } = useActions();
  const resource = resourceAt(options.resource);
  const busy = progress !== undefined;
  const isImporting = busy && at === 'import';
  const isBegun = look !== undefined && at !== 'choose' && at !== 'reading' && at !== 'question';
  const again = (): void => put({ at: 'choose' });
  return (
    <>
      <Heading title={texts.nav.import} about={isBegun ? undefined : says.about} />
      {isBegun && (
        <Steps
          at={at}
          may={(step) =>
            !busy && at !== 'done' && (step === 'match' || (outcome !== undefined && !now.judging))
          }
          onStep={(step) => put({ at: step, error: undefined })}
        />
      )}
      {error !== undefined && (
        <div ref={failure} tabIndex={-1}>
          <Failure error={error} />
        </div>
      )}
      {(at === 'choose' || at === 'reading') && (
        <Choose
          options={options}
          onOptions={(options) => put({ options })}
          onFile={(next) => void chosen(next)}
        />
      )}
      {at === 'reading' && <Skeleton rows={6} />}
      {at === 'question' && file !== undefined && question !== undefined && (
        <Form
          class="stack import-ask"
          submit={says.go}
          foot={<Button class="plain" label={texts.cancel} onClick={again} />}
          begin={{ choice: question.choices[0] ?? '' }}
          fields={{
            choice: {
              label: says.questions[question.about],
              own: ({ value, onChange }) => (
                <Radios
                  legend={says.questions[question.about]}
                  options={question.choices.map((one) => [one, says.delimiters[one] ?? one])}
                  value={value}
                  onChoose={onChange}
                />
              ),
            },
          }}
          send={async ({ choice }) => choice}
          onDone={(choice) => void chosen(file, { ...options, [question.about]: choice })}
        />
      )}
      {at === 'match' && look !== undefined && resource !== undefined && (
        <Columns
          look={look}
          resource={resource}
          options={options}
          busy={busy}
          // What was checked was another thing.
          onOptions={(options) => put({ options, outcome: undefined })}
          onHeader={(header_row) => file && chosen(file, { ...options, map: {}, header_row })}
          onEncoding={(encoding) => file && chosen(file, { ...options, map: {}, encoding })}
          onCheck={() => void checked()}
          onLeave={again}
        />
      )}
      {at === 'fix' && look !== undefined && resource !== undefined && outcome !== undefined && (
        <Fix
          look={look}
          resource={resource}
          options={options}
          outcome={outcome}
          seen={now.seen}
          judging={now.judging > 0}
          onSaid={fixed}
          onGo={() => put({ at: 'import' })}
          onBack={() => put({ at: 'match' })}
        />
      )}
      {(at === 'import' || at === 'done') && resource !== undefined && outcome !== undefined && (
        <Result
          outcome={outcome}
          resource={resource}
          zone={options.time_zone}
          name={options.name}
          told={now.seen.filter(({ is, count }) => count > 0 && is !== 'refused')}
          done={at === 'done'}
          busy={busy}
          onImport={() => void imported()}
          isClear={now.seen.length === 0}
          onBack={() => put({ at: now.seen.length > 0 ? 'fix' : 'match' })}
          onAgain={again}
          onUndo={
            outcome.import === null
              ? undefined
              : () =>
                  ask({
                    ...undoForm({ unique_identifier: outcome.import } as Import),
                    said: says.undone,
                    onDone: () => put({ at: 'choose', finished: now.finished + 1 }),
                  })
          }
        />
      )}
      {progress !== undefined && (
        <p class="progress" role="status">
          <progress value={progress[0]} max={progress[1] || 1} />
          {progress[1] > 0
            ? says.importing({ done: progress[0], all: progress[1] })
            : says.checking}
          {isImporting && <span class="hint">{says.leave}</span>}
        </p>
      )}
      {!isBegun || at === 'done' ? <Earlier again={now.finished} /> : null}
      {dialog}
    </>
  );
}
