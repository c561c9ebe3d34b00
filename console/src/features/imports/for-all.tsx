/** The values that are the same for all rows, or made from other columns, and what a file still needs. */
import { imports as says } from 'messages';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { Control, Labelled } from '../../parts/labelled.tsx';
import { Choice, Select } from '../../parts/select.tsx';
import { useLocationNames, useLocations } from '../../places/locations.ts';
import { isZoneKnown } from '../../places/zones.ts';
import {
  anchor,
  type DescribedResource,
  fieldOf,
  resourceNamed,
} from '../../records/description.ts';
import { targetLabel } from '../../refusals.ts';
import { Parent } from '../../screens/edit/create.tsx';
import { zoneOptions } from '../../values/zone-options.ts';
import { AddPlace } from './fix/places.tsx';
import { type FileOptions, type Look, namesParent } from './service.ts';

type Values = Readonly<Record<string, string>>;

interface Chosen {
  readonly look: Look;
  readonly resource: DescribedResource;
  readonly options: FileOptions;
}

/** What a column can be for, as the record has it: the identifier of a service is its case number. */
export function labelFor(resource: DescribedResource, field: Look['fields'][number]): string {
  const own = field.name === 'external_identifier' ? resource.identifier : undefined;
  return own ?? targetLabel(field);
}

export function labelIn({ look, resource }: Pick<Chosen, 'look' | 'resource'>, name: string) {
  const field = look.fields.find((one) => one.name === name);
  return labelFor(resource, field ?? { name, label: name });
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
  const own = identifierFrom(chosen, title);
  const parts = partsOfName(look);
  const person = resource.title.find((name) => name.endsWith('full_name')) ?? '';
  const isInParts = person !== '' && parts !== '' && !mapped.includes(person);
  const whole = title === '' ? (isInParts ? parts : '') : `{${title}}`;
  const made = [
    ...lacking.filter((name) => !(isInParts && isPart(person, name))),
    ...(isInParts ? [person] : []),
  ].map((name) => {
    if (name === 'external_identifier') return [name, own] as const;
    if (name === person && isInParts) return [name, parts] as const;
    const isMade = whole !== '' && resource.title.includes(name);
    return [
      name,
      isMade ? says.made({ label: labelIn(chosen, name), column: whole }) : '',
    ] as const;
  });
  return { ...Object.fromEntries(made), ...Object.fromEntries(given) };
}

/** A name that stands in several columns, as one: `{First} {Middle} {Last}`. */
export function partsOfName({ header }: Look): string {
  const PARTS = [
    /^(?:first|given)(?: name)?$|^nombres?$|^prénoms?$/i,
    /^(?:middle|mi)(?: name| initial)?$|^segundo nombre$|^deuxième prénom$/i,
    /^(?:last|family)(?: name)?$|^surname$|^apellidos?$|^nom(?: de famille)?$/i,
    /^suffix$|^sufijo$|^suffixe$/i,
  ];
  const found = PARTS.map((part) =>
    header.find((column) => part.test(column.replace(/^deceased |^decedent /i, '').trim())),
  );
  const [first, , last] = found;
  if (first === undefined || last === undefined) return '';
  return found.flatMap((column) => (column === undefined ? [] : [`{${column}}`])).join(' ');
}

/**
 * An identifier from what is in each row: for people of a service its case number and their name, for others their name
 * and how they are reached. A service has one of its own.
 */
function identifierFrom({ options, resource }: Chosen, title: string): string {
  const { parent, identifier } = resource;
  if (title === '' || parent === undefined || identifier !== undefined) return '';
  const columnFor = (isIt: (field: string) => boolean): string | undefined =>
    Object.entries(options.map ?? {}).find(([, field]) => field !== null && isIt(field))?.[0];
  const above = parent.param.replace('_unique_', '_external_');
  const isAtPlace = parent.resource === anchor?.name;
  const reached = columnFor((field) => /(?:phone_number\d?|email_address)$/.test(field));
  // Two people may have one name.
  if (isAtPlace && reached === undefined) return '';
  const columns = isAtPlace ? [title, reached] : [columnFor((field) => field === above), title];
  return columns.flatMap((column) => (column ? [`{${column}}`] : [])).join(' ');
}

/** What every row still needs, by the name of the field for which it is. */
export interface Lacks {
  readonly fields: readonly string[];
  /** Whether nothing says what a row belongs to. */
  readonly parent: boolean;
  /** Whether times have no clock. */
  readonly zone: boolean;
  /** The field for which there are two columns. */
  readonly twice?: string | undefined;
}

export function lacksOf(chosen: Chosen): Lacks {
  const { look, resource, options } = chosen;
  const mapped = mappedIn(chosen);
  const values = Object.entries(valuesIn(chosen));
  const filled = values.flatMap(([name, value]) => (value.trim() === '' ? [] : [name]));
  const has = [...mapped, ...filled];
  const within = resource.fields.flatMap(({ param, required_within: object }) =>
    object !== undefined && has.some((name) => isPart(name, object)) ? [param] : [],
  );
  const above = resource.parent && resourceNamed(resource.parent.resource);
  const isNamed = look.parent.some((way) => way.every((name) => mapped.includes(name)));
  return {
    fields: [...look.required, ...within].filter((name) => !has.some((one) => isPart(one, name))),
    parent: above?.parent !== undefined && !isNamed && !isParentGiven(resource, options),
    zone:
      options.time_zone === undefined &&
      !isZoneKnown.value &&
      mapped.some((name) => isMoment(resource, name)),
    twice: mapped.find(
      (name) => mapped.filter((one) => one === name).length > (isMoment(resource, name) ? 2 : 1),
    ),
  };
}

function isMoment(resource: DescribedResource, name: string): boolean {
  return fieldOf(resource, name)?.kind === 'date and time';
}

/** Why not every row can be made yet; `undefined`: they can. */
export function lackOf(chosen: Chosen, lacks: Lacks): string | undefined {
  const { resource } = chosen;
  if (lacks.twice !== undefined) return says.both(labelIn(chosen, lacks.twice));
  const needed = lacks.fields.map((name) => labelIn(chosen, name));
  const above = resource.parent && resourceNamed(resource.parent.resource);
  if (lacks.parent && above !== undefined) needed.unshift(above.singular);
  if (lacks.zone) needed.push(says.zone);
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

interface ForAllProps extends Chosen {
  readonly lacks: Lacks;
  readonly onOptions: (options: FileOptions) => void;
}

/** What no column says, where it can be said: what rows belong to, their time zone, and values for all of them. */
export function ForAll({ lacks, onOptions, ...chosen }: ForAllProps): JSX.Element {
  const { look, resource, options } = chosen;
  const [adding, setAdding] = useState(false);
  const [round, setRound] = useState(0);
  const names = useLocationNames();
  const values = { ...valuesIn(chosen) };
  for (const name of lacks.fields) values[name] ??= '';
  const mapped = mappedIn(chosen);
  const others = look.fields.filter(
    ({ name }) => !mapped.includes(name) && !(name in values) && !namesParent(name),
  );
  const put = (name: string, value: string): void =>
    onOptions({ ...options, set: { ...options.set, [name]: value } });
  const { parent } = resource;
  const above = parent && resourceNamed(parent.resource);
  const isAtPlace = above !== undefined && above === anchor;
  // Before they are loaded, nobody is told that there are none.
  const isLoaded = useLocations().value !== undefined;
  const isEmpty = isAtPlace && isLoaded && round === 0 && names.size === 0;
  const [only] = names.size === 1 ? names.keys() : [];
  const isUnsaid =
    lacks.parent && parent !== undefined && options.set?.[parent.param] === undefined;
  useEffect(() => {
    // The only location is chosen without asking.
    if (isAtPlace && isUnsaid && only !== undefined) put(parent.param, only);
  }, [isAtPlace && isUnsaid, only]);
  return (
    <fieldset class="fields import-how">
      <legend>{says.unsayable}</legend>
      {above?.parent !== undefined && parent !== undefined && (
        <div class="import-parent">
          <Parent
            key={round}
            resource={above}
            label={says.belongs}
            none={says.anyParent(above.singular.toLowerCase())}
            fault={lacks.parent && !isEmpty ? says.neededHere : undefined}
            chosen={options.set?.[parent.param] || undefined}
            onChoose={(id = '') => put(parent.param, id)}
          />
          {isEmpty && <p class={lacks.parent ? 'fault' : 'hint'}>{says.placeNone}</p>}
          {isAtPlace && <Button label={says.addPlace} onClick={() => setAdding(true)} />}
        </div>
      )}
      {Object.entries(values).map(([name, value]) => (
        <Labelled
          key={name}
          label={labelIn(chosen, name)}
          hint={madeOf(look, value)}
          fault={lacks.fields.includes(name) ? says.neededHere : undefined}
        >
          {(common) => (
            <Control common={common} max={500} value={value} onType={(text) => put(name, text)} />
          )}
        </Labelled>
      ))}
      {mapped.some((name) => isMoment(resource, name)) && (
        <Labelled label={says.zone} fault={lacks.zone ? says.neededZone : undefined}>
          {(common) => (
            <Select
              {...common}
              value={options.time_zone ?? ''}
              options={[
                ['', isZoneKnown.value ? says.ownZone : says.chooseField],
                ...zoneOptions(options.time_zone),
              ]}
              onChoose={(zone) => onOptions({ ...options, time_zone: zone || undefined })}
            />
          )}
        </Labelled>
      )}
      <Choice
        label={says.addValue}
        value=""
        options={[
          ['', says.chooseField],
          ...others.map((field) => [field.name, labelFor(resource, field)] as const),
        ]}
        onChoose={(name) => put(name, '')}
      />
      <p class="hint wide">{says.braces(look.header[1] ?? '')}</p>
      {adding && (
        <AddPlace
          name=""
          account={options.account}
          onClose={() => setAdding(false)}
          onDone={(id) => {
            setAdding(false);
            setRound(round + 1);
            put(parent?.param ?? '', id);
          }}
        />
      )}
    </fieldset>
  );
}

/** Rows that are shown of a column or a value. */
export const SAMPLES = 3;

/** What the value becomes in the first rows, where it names columns. */
export function madeOf({ header, rows }: Look, value: string): string {
  const made = rows.map((cells) =>
    value
      .replaceAll(/(\s*)\{([^{}]+)\}/g, (all, space: string, name: string) => {
        const at = header.indexOf(name);
        const text = at < 0 ? all : (cells[at] ?? '').trim();
        return at < 0 || text === '' ? (at < 0 ? all : '') : space + text;
      })
      .trim(),
  );
  const shown = [...new Set(made)].filter((one) => one !== value && one !== '');
  return shown.slice(0, SAMPLES).join(' · ');
}
