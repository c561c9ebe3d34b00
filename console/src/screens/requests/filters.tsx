/** Which refused requests are shown: of whom, why, when and where to. */
import { requests as says } from 'messages';
import { Choice } from '../../parts/select.tsx';
import { nameFirst } from '../../records/key-names.ts';
import { query, setQuery } from '../../router.ts';

/** What is typed, each with an example: it is applied when the field is left, or Enter is pressed. */
const TYPED = [
  ['identifier', 'V4994'],
  ['status', '400'],
  ['code', 'phone_number_invalid'],
  ['path', '/v1/events'],
] as const;
const HOUR_MS = 3_600_000;
/** How far back, in hours: it stays relative in the address. */
const SINCE: Readonly<Record<string, number>> = { '1h': 1, '24h': 24, '7d': 168 };

export const FILTERS = [
  'by',
  'key',
  'since',
  ...TYPED.map(([name]) => name),
  'request_id',
] as const;

/** The query in the address, as the service takes it. By default without the console's own requests. */
export function paramsOf(filters: Readonly<Record<string, string>>): object {
  const { since = '', by = 'keys', ...others } = filters;
  const hours = SINCE[since];
  const from = hours && new Date(Date.now() - hours * HOUR_MS).toISOString().slice(0, 19);
  const one = others.request_id !== undefined || others.key !== undefined;
  return {
    ...others,
    ...(one || by === 'all' ? {} : { by }),
    ...(from && { 'time[gte]': `${from}Z` }),
  };
}

export function Filters({ keys }: { readonly keys: readonly string[] }): JSX.Element {
  const is = (name: string): string => query.value.get(name) ?? '';
  const set = (name: string, value: string): void =>
    setQuery({ [name]: value.trim() || undefined, starting_after: undefined });
  const key = is('key');
  return (
    <form class="fields request-filters" onSubmit={(event) => event.preventDefault()}>
      <Choice
        label={says.filters.by}
        value={is('by')}
        options={Object.entries(says.byWords)}
        onChoose={(value) => set('by', value)}
      />
      <Choice
        label={says.filters.key}
        value={key}
        options={[
          ['', says.anyKey],
          ...[...new Set([key, ...keys])]
            .filter(Boolean)
            .map((one) => [one, nameFirst(one)] as const),
        ]}
        onChoose={(value) => set('key', value)}
      />
      <Choice
        label={says.filters.since}
        value={is('since')}
        options={Object.entries(says.sinceWords)}
        onChoose={(value) => set('since', value)}
      />
      {TYPED.map(([name, example]) => (
        <label key={name}>
          {says.filters[name]}
          <input
            type="text"
            autocomplete="off"
            inputMode={name === 'status' ? 'numeric' : 'text'}
            placeholder={example}
            value={is(name)}
            onChange={({ currentTarget }) => set(name, currentTarget.value)}
          />
        </label>
      ))}
    </form>
  );
}
