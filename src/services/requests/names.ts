/**
 * Names that the request log may contain: those that are declared here. A name that a caller has chosen (a member of
 * free-form content, a misspelt parameter that is a person's name) is logged as `*`.
 */
import type { Resource } from '../../core/schema/define.ts';
import type { Field } from '../../core/schema/fields/kind.ts';
import type { Members } from '../../core/schema/fields/members.ts';

/** Stands for everything that is not declared. */
export const UNDECLARED = '*';

/** An element's index in an array; longer numbers may be a caller's own. */
const INDEX = /^\d{1,3}$/;

/** The possible next steps of a path: members by their names, or the index of an element. */
interface Declared {
  readonly members: ReadonlyMap<string, Declared>;
  readonly elements: boolean;
}

/** Masks a dotted path beyond its declared part. */
export type ParamMask = (param: string) => string;

/** The mask for operations with these parameters. */
export function paramMask(declared: readonly Members[]): ParamMask {
  const root = declaredIn(declared);
  return (param) => {
    const steps: string[] = [];
    let at: Declared | undefined = root;
    for (const step of param.split('.')) {
      const next: Declared | undefined =
        at.members.get(step) ?? (at.elements && INDEX.test(step) ? LEAF : undefined);
      steps.push(next === undefined ? UNDECLARED : step);
      if (next === undefined) break;
      at = next;
    }
    return steps.join('.');
  };
}

const LEAF: Declared = { members: new Map(), elements: false };

function declaredIn(all: readonly Members[]): Declared {
  const members = new Map<string, Declared>();
  for (const [name, fields] of Map.groupBy(
    all.flatMap((one) => Object.entries(one)),
    ([name]) => name,
  )) {
    const kinds = fields.map(([, field]: readonly [string, Field]) => field.kind);
    const { members: below } = declaredIn(kinds.flatMap(({ members = {} }) => [members]));
    members.set(name, {
      members: below,
      elements: kinds.some(({ schema }) => schema.type === 'array'),
    });
  }
  return { members, elements: false };
}

/** Returns the loggable path of a request that matches no route: those of its segments that are in one of the routes. */
export function pathMask(routes: Iterable<string>): (path: string) => string {
  const known = new Set(
    [...routes].flatMap((route) => route.split('/')).filter((one) => !one.startsWith(':')),
  );
  return (path) =>
    path
      .split('/')
      .slice(0, MAX_SEGMENTS)
      .map((one) => (known.has(one) ? one : UNDECLARED))
      .join('/');
}

const MAX_SEGMENTS = 8;

/** The path of a request to one record, with its identifier if it has the form of ours. */
export function maskRecordPath(route: string, identifier: string, { prefix }: Resource): string {
  const ours =
    identifier.startsWith(prefix) && /^[0-9A-Za-z]{22}$/.test(identifier.slice(prefix.length));
  return route.replace(/:\w+/, ours ? identifier : UNDECLARED);
}
