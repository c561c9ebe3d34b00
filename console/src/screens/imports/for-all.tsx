/** The values that are the same for all rows, or made from other columns, and what a file still needs. */
import { imports as says } from 'messages';
import { Control, Labelled } from '../../parts/labelled.tsx';
import { Choice } from '../../parts/select.tsx';
import { isZoneKnown } from '../../places/zones.ts';
import { type DescribedResource, fieldOf, resourceNamed } from '../../records/description.ts';
import { targetLabel } from '../../refusals.ts';
import { type FileOptions, type Look, namesParent } from './service.ts';

type Values = Readonly<Record<string, string>>;

interface Chosen {
  readonly look: Look;
  readonly resource: DescribedResource;
  readonly options: FileOptions;
}

export function labelIn({ fields }: Look, name: string): string {
  return targetLabel(fields.find((field) => field.name === name) ?? { name, label: name });
}

/** The fields of columns; what all rows belong to is named by none. */
export function mappedIn({ look, options, resource }: Chosen): readonly string[] {
  const isGiven = isParentGiven(resource, options);
  return Object.values(options.map ?? {}).filter(
    (name): name is string =>
      look.fields.some((field) => field.name === name) && !(isGiven && namesParent(name ?? '')),
  );
}

export function isParentGiven({ parent }: DescribedResource, { set }: FileOptions): boolean {
  return Boolean(parent && set?.[parent.param]);
}

/**
 * By field its value, as it was typed; a part of the title that has no column is made from one that has. Fields that
 * every row needs are among them, though empty.
 */
export function valuesIn(chosen: Chosen): Values {
  const { look, resource, options } = chosen;
  const mapped = mappedIn(chosen);
  const given = Object.entries(options.set ?? {}).filter(
    ([name]) => !mapped.includes(name) && name !== resource.parent?.param,
  );
  const lacking = look.required.filter((name) => !mapped.some((one) => isPart(one, name)));
  const [title] = Object.entries(options.map ?? {}).find(
    ([, field]) => field !== null && resource.title.includes(field),
  ) ?? [''];
  const made = lacking.map((name) => {
    const isMade = title !== '' && resource.title.includes(name);
    return [
      name,
      isMade ? says.made({ label: labelIn(look, name), column: `{${title}}` }) : '',
    ] as const;
  });
  return { ...Object.fromEntries(made), ...Object.fromEntries(given) };
}

/** Why not every row can be made yet; `undefined`: they can. */
export function lackOf(chosen: Chosen): string | undefined {
  const { look, resource, options } = chosen;
  const mapped = mappedIn(chosen);
  const values = Object.entries(valuesIn(chosen));
  const filled = values.flatMap(([name, value]) => (value.trim() === '' ? [] : [name]));
  const has = [...mapped, ...filled];
  const isMoment = (name: string): boolean => fieldOf(resource, name)?.kind === 'date and time';
  const twice = mapped.find(
    (name) => mapped.filter((one) => one === name).length > (isMoment(name) ? 2 : 1),
  );
  if (twice !== undefined) return says.both(labelIn(look, twice));
  const within = resource.fields.flatMap(({ param, required_within: object }) =>
    object !== undefined && has.some((name) => isPart(name, object)) ? [param] : [],
  );
  const needed = [...look.required, ...within]
    .filter((name) => !has.some((one) => isPart(one, name)))
    .map((name) => labelIn(look, name));
  const above = resource.parent && resourceNamed(resource.parent.resource);
  const isNamed = look.parent.some((way) => way.every((name) => mapped.includes(name)));
  if (above?.parent !== undefined && !isNamed && !isParentGiven(resource, options))
    needed.unshift(says.parentNeeded(above.singular));
  if (options.time_zone === undefined && !isZoneKnown.value && mapped.some(isMoment))
    needed.push(says.zone);
  return needed.length === 0 ? undefined : says.needed(needed.join(', '));
}

function isPart(name: string, whole: string): boolean {
  return name === whole || name.startsWith(`${whole}.`);
}

/** The options as they are sent: with the values, and without columns that name what all rows belong to. */
export function sentFor(chosen: Chosen): FileOptions {
  const { resource, options } = chosen;
  const parent = resource.parent?.param ?? '';
  const isGiven = isParentGiven(resource, options);
  const map = Object.entries(options.map ?? {}).map(
    ([column, field]) =>
      [column, isGiven && field !== null && namesParent(field) ? null : field] as const,
  );
  const given = isGiven ? { [parent]: options.set?.[parent] ?? '' } : {};
  const values = Object.entries(valuesIn(chosen)).filter(([, value]) => value.trim() !== '');
  return {
    ...options,
    map: Object.fromEntries(map),
    set: { ...given, ...Object.fromEntries(values) },
  };
}

export function ForAll(
  props: Chosen & { readonly onOptions: (options: FileOptions) => void },
): JSX.Element {
  const { onOptions, ...chosen } = props;
  const { look, options } = chosen;
  const values = valuesIn(chosen);
  const mapped = mappedIn(chosen);
  const others = look.fields.filter(
    ({ name }) => !mapped.includes(name) && !(name in values) && !namesParent(name),
  );
  const put = (name: string, value: string): void =>
    onOptions({ ...options, set: { ...options.set, [name]: value } });
  return (
    <fieldset class="fields import-how">
      <legend>{says.forAll}</legend>
      {Object.entries(values).map(([name, value]) => (
        <Labelled
          key={name}
          label={labelIn(look, name)}
          hint={madeOf(look, value)}
          fault={undefined}
        >
          {(common) => (
            <Control common={common} max={500} value={value} onType={(text) => put(name, text)} />
          )}
        </Labelled>
      ))}
      <Choice
        label={says.addValue}
        value=""
        options={[
          ['', says.chooseField],
          ...others.map((field) => [field.name, targetLabel(field)] as const),
        ]}
        onChoose={(name) => put(name, '')}
      />
      <p class="hint">{says.braces(look.header[1] ?? '')}</p>
    </fieldset>
  );
}

/** Rows that are shown of a column or a value. */
export const SAMPLES = 3;

/** What the value becomes in the first rows, where it names columns. */
function madeOf({ header, rows }: Look, value: string): string {
  const made = rows.map((cells) =>
    value.replaceAll(/\{([^{}]+)\}/g, (all, name) => {
      const at = header.indexOf(name);
      return at < 0 ? all : (cells[at] ?? '').trim();
    }),
  );
  const shown = [...new Set(made)].filter((one) => one !== value);
  return shown.slice(0, SAMPLES).join(' · ');
}
