/** The age of the last checked backup, with emphasis if it is too old or missing. */
import { feeds as says } from 'messages';
import type { Backup as LastBackup } from '../../generated/objects.ts';
import { useGet } from '../../load.ts';
import { agoText, fullTimeText } from '../../values/format.ts';

export function Backup(): JSX.Element | null {
  const { value } = useGet<LastBackup>('/backup');
  if (value === undefined) return null;
  const { taken_at, overdue } = value;
  return (
    <p class={overdue ? 'backup warn' : 'backup'}>
      {taken_at === null ? (
        says.noBackup
      ) : (
        <span title={fullTimeText(taken_at)}>{says.backup(agoText(taken_at))}</span>
      )}{' '}
      {taken_at !== null && overdue && `${says.backupOld} `}
      <a href="/docs/backup" target="_blank" rel="noopener">
        {says.aboutBackups}
      </a>
    </p>
  );
}
