/** Enters a list: what is pasted, or a file, with a phone number or an email address on each line. */

import { files, doNotContact as says, page as texts } from 'messages';
import { useState } from 'preact/hooks';
import { FilePlace } from '../../parts/file-place.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { say } from '../../parts/notice.tsx';
import { api } from '../../service/api.ts';
import { session } from '../../service/session.ts';
import { typedPhone } from '../../values/contact.ts';

const AT_ONCE = 1_000;
const SHOWN = 5;
const KINDS = ['.csv', '.tsv', '.txt'];

interface ListDialogProps {
  readonly onClose: () => void;
  readonly onDone: (added: number) => void;
}

export function ListDialog({ onClose, onDone }: ListDialogProps): JSX.Element {
  const [refused, setRefused] = useState<readonly string[]>([]);
  const accounts = session.value?.accounts ?? [];
  const ofAll = accounts.map((one) => [one.unique_identifier, one.name] as const);
  return (
    <FormDialog
      title={says.list}
      hint={
        <>
          <p>{says.listHint}</p>
          {refused.length > 0 && (
            <>
              <p class="fault">{says.listRefused(refused.length)}</p>
              <ul>
                {refused.slice(0, SHOWN).map((one) => (
                  <li key={one}>{one}</li>
                ))}
              </ul>
            </>
          )}
        </>
      }
      submit={says.add}
      begin={{ account: accounts[0]?.unique_identifier ?? '', lines: '', reason: '' }}
      fields={{
        ...(ofAll.length > 1 && { account: { label: texts.account, of: ofAll } }),
        lines: {
          label: says.lines,
          own: ({ value, onChange }) => <Lines value={value} onChange={onChange} />,
          isReady: (value) => linesOf(value).length > 0,
        },
        reason: { label: says.reason, placeholder: says.listReason },
      }}
      send={({ account, lines, reason }) => enterAll(account, linesOf(lines), reason)}
      onDone={(done) => {
        setRefused(done.refused);
        if (done.refused.length === 0) onDone(done.added);
      }}
      onClose={onClose}
    />
  );
}

function Lines(props: {
  readonly value: string;
  readonly onChange: (value: string) => void;
}): JSX.Element {
  const { value, onChange } = props;
  return (
    <div class="field wide">
      <label>
        {says.lines}
        <textarea
          rows={8}
          value={value}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      </label>
      <FilePlace
        hint={says.file}
        kinds={KINDS}
        onFile={async (file) => {
          const text = await file.text();
          if (text.includes('\0')) say(files.noText(file.name));
          else onChange(value === '' ? text : `${value.trimEnd()}\n${text}`);
        }}
      />
    </div>
  );
}

/** The first cell of each line. */
function linesOf(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .map((line) => (line.split(/[,;\t]/)[0] ?? '').replaceAll('"', '').trim())
    .filter((line) => line !== '');
}

async function enterAll(account: string, lines: readonly string[], reason: string) {
  const refused: string[] = [];
  let added = 0;
  for (let at = 0; at < lines.length; at += AT_ONCE) {
    const some = lines.slice(at, at + AT_ONCE);
    const entries = some.map((line) => ({
      ...(line.includes('@') ? { email_address: line } : { phone_number: typedPhone(line) }),
      ...(reason && { reason }),
    }));
    const done = await api.do_not_contact.addMany({ account, entries });
    added += done.added;
    refused.push(...done.refused.map(({ row }) => some[row - 1] ?? ''));
  }
  return { added, refused };
}
