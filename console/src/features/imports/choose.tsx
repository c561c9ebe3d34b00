/** Chooses what the rows are, and the file. */
import { imports as says, page as texts } from 'messages';
import { useState } from 'preact/hooks';
import { Button, Icon } from '../../parts/button.tsx';
import { csvFile, download } from '../../parts/download.ts';
import { sentenceOf } from '../../parts/loading.tsx';
import { say } from '../../parts/notice.tsx';
import { Choice } from '../../parts/select.tsx';
import { belowAccounts } from '../../records/description.ts';
import { api } from '../../service/api.ts';
import { session } from '../../service/session.ts';
import { entry } from './entry.ts';
import type { FileOptions } from './service.ts';

interface ChooseProps {
  readonly options: FileOptions;
  readonly onOptions: (options: FileOptions) => void;
  readonly onFile: (file: File) => void;
}

async function template(resource: string): Promise<void> {
  try {
    const { csv } = await api.importTemplates({ resource });
    download(csvFile(csv), `${resource}.csv`);
  } catch (error) {
    say(sentenceOf(error));
  }
}

export function Choose({ options, onOptions, onFile }: ChooseProps): JSX.Element {
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
        <Icon name={entry.icon} />
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
