/** Chooses what the rows are, and the file. */
import { imports as says, page as texts } from 'messages';
import { Button } from '../../parts/button.tsx';
import { csvFile, download } from '../../parts/download.ts';
import { FilePlace } from '../../parts/file-place.tsx';
import { sentenceOf } from '../../parts/loading.tsx';
import { say } from '../../parts/notice.tsx';
import { Choice } from '../../parts/select.tsx';
import { belowAccounts } from '../../records/description.ts';
import { api } from '../../service/api.ts';
import { session } from '../../service/session.ts';
import type { FileOptions } from './service.ts';

interface ChooseProps {
  readonly options: FileOptions;
  readonly onOptions: (options: FileOptions) => void;
  readonly onFile: (file: File) => void;
}

const KINDS = ['.csv', '.tsv', '.tab', '.txt', '.xlsx'];

async function template(resource: string): Promise<void> {
  try {
    const { csv } = await api.importTemplates({ resource });
    download(csvFile(csv), `${resource}.csv`);
  } catch (error) {
    say(sentenceOf(error));
  }
}

export function Choose({ options, onOptions, onFile }: ChooseProps): JSX.Element {
  const accounts = session.value?.accounts ?? [];
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
      <FilePlace hint={says.drop} kinds={KINDS} onFile={onFile} />
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
