/** Imports a spreadsheet: choose it, say what its columns are for, check it, import it. */
import { imports as says, page as texts } from 'messages';
import { useState } from 'preact/hooks';
import { Button, Icon } from '../../parts/button.tsx';
import { Radios } from '../../parts/choices.tsx';
import { useStay } from '../../parts/dialog.tsx';
import { csvFile, download } from '../../parts/download.ts';
import { Form } from '../../parts/form.tsx';
import { Failure, Heading, Skeleton, sentenceOf } from '../../parts/loading.tsx';
import { say } from '../../parts/notice.tsx';
import { Choice } from '../../parts/select.tsx';
import { belowAccounts, resourceAt } from '../../records/description.ts';
import { textOf } from '../../service/api.ts';
import { session, signedInFor } from '../../service/session.ts';
import { Columns } from './columns.tsx';
import { Earlier } from './earlier.tsx';
import { sentFor } from './for-all.tsx';
import { Result, useSeen } from './result.tsx';
import { type FileOptions, type Look, look, type Outcome, type Question, run } from './service.ts';

type Step =
  | { readonly at: 'choose' }
  | { readonly at: 'reading' }
  | { readonly at: 'question'; readonly question: Question }
  | { readonly at: 'columns'; readonly look: Look }
  | { readonly at: 'preview' | 'done'; readonly look: Look; readonly outcome: Outcome };

/** What people say of one file alone. */
const UNSAID = {
  sheet: undefined,
  delimiter: undefined,
  header_row: undefined,
  chosen: undefined,
  set: undefined,
};

export function ImportScreen(): JSX.Element {
  const [step, setStep] = useState<Step>({ at: 'choose' });
  const [file, setFile] = useState<File>();
  const [options, setOptions] = useState<FileOptions>({
    name: '',
    resource: belowAccounts.find(({ anchor }) => anchor === undefined)?.path ?? '',
    account: session.value?.accounts[0]?.unique_identifier,
    us_phones: true,
  });
  const [error, setError] = useState<unknown>();
  const failure = useSeen<HTMLDivElement>(error);
  const [progress, setProgress] = useState<readonly [done: number, all: number]>();
  const [finished, setFinished] = useState(0);

  const resource = resourceAt(options.resource);

  const attempt = async (work: () => Promise<Step>, otherwise: Step): Promise<void> => {
    setError(undefined);
    try {
      setStep(await signedInFor(work));
    } catch (refusal) {
      setError(refusal);
      setStep(otherwise);
    } finally {
      setProgress(undefined);
    }
  };

  const chosen = (next: File, answers: Partial<FileOptions> = {}): Promise<void> => {
    const of: FileOptions = { ...options, ...UNSAID, name: next.name, map: {}, ...answers };
    setFile(next);
    setOptions(of);
    setStep({ at: 'reading' });
    return attempt(
      async () => {
        const found = await look(of, next);
        if (found.object === 'import_question') return { at: 'question', question: found };
        setOptions({ ...of, header_row: found.header_row, map: found.mapping });
        return { at: 'columns', look: found };
      },
      { at: 'choose' },
    );
  };

  const go = (how: 'preview' | 'run', found: Look, of = options): Promise<void> => {
    setProgress([0, 0]);
    return attempt(
      async () => {
        const sent = resource === undefined ? of : sentFor({ look: found, resource, options: of });
        const outcome = await run(how, sent, file as File, (...now) => setProgress(now));
        if (how === 'run') setFinished((before) => before + 1);
        return { at: how === 'run' ? 'done' : 'preview', look: found, outcome };
      },
      { at: 'columns', look: found },
    );
  };

  const isImporting = progress !== undefined && step.at === 'preview';
  useStay(() => isImporting);

  return (
    <>
      <Heading title={texts.nav.import} about={says.about} />
      {error !== undefined && (
        <div ref={failure} tabIndex={-1}>
          <Failure error={error} />
        </div>
      )}
      {(step.at === 'choose' || step.at === 'reading') && (
        <Choose options={options} onOptions={setOptions} onFile={(next) => void chosen(next)} />
      )}
      {step.at === 'reading' && <Skeleton rows={6} />}
      {step.at === 'question' && file !== undefined && (
        <Form
          class="stack import-ask"
          submit={says.go}
          foot={
            <Button class="plain" label={texts.cancel} onClick={() => setStep({ at: 'choose' })} />
          }
          begin={{ choice: step.question.choices[0] ?? '' }}
          fields={{
            choice: {
              label: says.questions[step.question.about],
              own: ({ value, onChange }) => (
                <Radios
                  legend={says.questions[step.question.about]}
                  options={step.question.choices.map((one) => [one, says.delimiters[one] ?? one])}
                  value={value}
                  onChoose={onChange}
                />
              ),
            },
          }}
          send={async ({ choice }) => choice}
          onDone={(choice) => void chosen(file, { ...options, [step.question.about]: choice })}
        />
      )}
      {step.at === 'columns' && resource !== undefined && (
        <Columns
          look={step.look}
          resource={resource}
          options={options}
          busy={progress !== undefined}
          onOptions={setOptions}
          onHeader={(header_row) => file && chosen(file, { ...options, map: {}, header_row })}
          onCheck={() => go('preview', step.look)}
          onLeave={() => setStep({ at: 'choose' })}
        />
      )}
      {(step.at === 'preview' || step.at === 'done') && (
        <Result
          outcome={step.outcome}
          name={options.name}
          done={step.at === 'done'}
          busy={progress !== undefined}
          onImport={() => go('run', step.look)}
          onChosen={(chosen) => {
            const of = { ...options, chosen: { ...options.chosen, ...chosen } };
            setOptions(of);
            void go('preview', step.look, of);
          }}
          onBack={() => setStep({ at: 'columns', look: step.look })}
          onAgain={() => setStep({ at: 'choose' })}
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
      <Earlier again={finished} />
    </>
  );
}

interface ChooseProps {
  readonly options: FileOptions;
  readonly onOptions: (options: FileOptions) => void;
  readonly onFile: (file: File) => void;
}

async function template(resource: string): Promise<void> {
  try {
    const text = await textOf(`/imports/templates/${resource}`);
    download(csvFile(text), `${resource}.csv`);
  } catch (error) {
    say(sentenceOf(error));
  }
}

function Choose({ options, onOptions, onFile }: ChooseProps): JSX.Element {
  const [over, setOver] = useState(false);
  const accounts = session.value?.accounts ?? [];
  const take = (file: File | null | undefined): void => {
    setOver(false);
    if (file) onFile(file);
  };
  return (
    <div class="stack import-choose">
      <div class="fields">
        <Choice
          label={says.what}
          value={options.resource}
          options={belowAccounts.map(({ path, plural }) => [path, plural] as const)}
          onChoose={(resource) => onOptions({ ...options, resource, set: undefined })}
        />
        {accounts.length > 1 && (
          <Choice
            label={texts.account}
            value={options.account}
            options={accounts.map((one) => [one.unique_identifier, one.name] as const)}
            onChoose={(account) => onOptions({ ...options, account })}
          />
        )}
      </div>
      <label
        class={`drop ${over ? 'over' : ''}`}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          take(event.dataTransfer?.files[0]);
        }}
      >
        <input
          type="file"
          class="unseen"
          accept=".csv,.tsv,.tab,.txt,.xlsx"
          onChange={({ currentTarget }) => {
            take(currentTarget.files?.[0]);
            currentTarget.value = '';
          }}
        />
        <Icon name="import" />
        <strong>{says.choose}</strong>
        <span>{says.drop}</span>
      </label>
      <p>
        <Button
          class="plain link"
          label={says.template}
          onClick={() => void template(options.resource)}
        />{' '}
        <span class="hint">{says.templateHint}</span>
      </p>
    </div>
  );
}
