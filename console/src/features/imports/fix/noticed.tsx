/** What a person should know of a file before its rows are written, and the choices of how its values are read. */
import { imports as says } from 'messages';
import { Check, Radios } from '../../../parts/choices.tsx';
import { Control, Labelled } from '../../../parts/labelled.tsx';
import { Choice } from '../../../parts/select.tsx';
import type { FileOptions, Look } from '../service.ts';
import type { FixKind } from './kinds.ts';

/** What is so of the file, and not of values in it. */
const OF_FILES = new Set([
  ...['encoding_guessed', 'hidden_rows', 'hidden_columns', 'hidden_sheets', 'merged_cells'],
]);

interface NoticedProps {
  readonly of: Pick<Look, 'noticed' | 'read'>;
  /** Left out: nothing can be chosen any more. */
  readonly onEncoding?: (encoding: string) => void;
}

export function Noticed({ of: { noticed = [], read }, onEncoding }: NoticedProps): JSX.Element {
  const isGuessed = noticed.some(({ what }) => what === 'encoding_guessed');
  return (
    <>
      {noticed
        .filter(({ what }) => OF_FILES.has(what))
        .map(({ what, count, examples }) => (
          <p key={what} class="hint noticed">
            {what === 'encoding_guessed'
              ? says.noticed.encoding_guessed(shown(count, examples))
              : says.noticed[what]({ count, examples: shown(count, examples) })}
          </p>
        ))}
      {isGuessed && onEncoding !== undefined && (
        <Choice
          label={says.encoding}
          options={Object.entries(says.encodings)}
          value={read.encoding ?? ''}
          onChoose={onEncoding}
        />
      )}
    </>
  );
}

/** The choice of how the values of a kind are read. */
export function Reading(props: {
  readonly kind: FixKind;
  readonly look: Look;
  readonly options: FileOptions;
  readonly onChoose: (change: Partial<FileOptions>) => void;
}): JSX.Element | null {
  const { kind, look, options, onChoose } = props;
  switch (kind.what) {
    case 'names_reversed':
      return (
        <Check
          label={says.fix.turn}
          isOn={options.names === 'last_first'}
          onSet={(isOn) => onChoose({ names: isOn ? 'last_first' : 'as_written' })}
        />
      );
    case 'years_short':
      return (
        <Check
          label={says.fix.readYears}
          isOn={options.short_years === true}
          onSet={(short_years) => onChoose({ short_years })}
        />
      );
    case 'times_short':
      return (
        <Check
          label={says.fix.readTimes}
          isOn={options.short_times !== false}
          onSet={(isOn) => onChoose({ short_times: isOn ? undefined : false })}
        />
      );
    case 'phones_with_words': {
      const { keep, '': refuse, ...others } = says.phoneWordsAs;
      const hasDetails = Object.keys(look.details).length > 0;
      const all = { ...others, ...(hasDetails && { keep }), '': refuse };
      return (
        <Radios
          legend={says.phoneWords}
          options={Object.entries(all)}
          value={options.phone_words ?? ''}
          onChoose={(how) =>
            onChoose({ phone_words: (how || undefined) as FileOptions['phone_words'] })
          }
        />
      );
    }
    case 'phones_short':
      return (
        <Labelled label={says.areaCode} hint={undefined} fault={undefined}>
          {(common) => (
            <Control
              common={common}
              of="number"
              max={3}
              value={options.area_code ?? ''}
              onType={(code) => onChoose({ area_code: code || undefined })}
            />
          )}
        </Labelled>
      );
    default:
      return null;
  }
}

function shown(count: number, examples: readonly string[]): string {
  return examples.join(', ') + (count > examples.length ? ', …' : '');
}
