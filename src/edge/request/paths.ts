/** All paths, and the likeliest ones for an unknown path. */
import type { FastifyInstance } from 'fastify';
import { nearestName } from '../../core/schema/fields/members.ts';
import { distance } from '../../core/schema/search/spelling.ts';

interface KnownPath {
  readonly methods: readonly string[];
  readonly segments: readonly string[];
}

export type Paths = ReturnType<typeof pathsOf>;

/** Gathers the paths as they are added to the server. */
export function pathsOf(server: FastifyInstance) {
  const paths = new Map<string, KnownPath>();
  server.addHook('onRoute', ({ url, method }) => {
    if (url.endsWith('*')) return;
    const methods = [...new Set([...(paths.get(url)?.methods ?? []), ...[method].flat()])];
    paths.set(url, { methods, segments: url.slice(1).split('/') });
  });
  return {
    /** Each as it was added: `/v1/events/:unique_identifier`. */
    all: (): Iterable<string> => paths.keys(),
    /** The methods of a path; if two paths fit, of the one without a parameter. */
    methods: (path: string): readonly string[] | undefined =>
      (paths.get(path) ?? paths.get(path.replace(/[^/]+$/, ':unique_identifier')))?.methods,
    /**
     * The request most like one that led nowhere, if one is like it at all: `POST /v1/events/upsert`.
     * Where only its method led nowhere, `onlyMethod`, that of another path that takes it.
     */
    nearest: (method: string, path: string, onlyMethod: boolean) =>
      nearest(paths, method, path, onlyMethod),
  };
}

/** These paths are for the console alone. */
const CONSOLE = '/console/';

/** The cost of a similar path with other methods, without a parameter, or without its last segment. */
const OTHER_METHOD = 1;
const PARAMETER = 4;
const ENDS_EARLY = 1;
/** That its last segment is another word altogether: `create` for `upsert`. */
const OTHER_WORD = 4;

function nearest(
  paths: ReadonlyMap<string, KnownPath>,
  method: string,
  path: string,
  onlyMethod: boolean,
): string | undefined {
  const sent = path.split('/').filter((segment) => segment !== '');
  const start = sent.indexOf('v1');
  // Without its beginning, or behind that of some proxy.
  const ways = [sent, start > 0 ? sent.slice(start) : ['v1', ...sent]];
  let found: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const [known, { methods, segments }] of paths) {
    if (known.startsWith(CONSOLE) !== path.startsWith(CONSOLE)) continue;
    const taken = methods.includes(method);
    if (onlyMethod && !taken) continue;
    for (const way of ways) {
      const cost = unlikeness(way, segments, taken);
      if (cost >= least) continue;
      least = cost;
      found = `${taken ? method : methods[0]} ${known.replace(/:(\w+)/g, '{$1}')}`;
    }
  }
  return found;
}

/** How unlike a path is to one that is there, by their segments; infinite where it is not like it at all. */
function unlikeness(sent: readonly string[], known: readonly string[], taken: boolean): number {
  const lacks = known.length - sent.length;
  if (lacks !== 0 && (lacks !== 1 || !taken)) return Number.POSITIVE_INFINITY;
  let cost = taken ? 0 : OTHER_METHOD;
  for (const [index, segment] of known.entries()) {
    const one = sent[index];
    if (one === segment) continue;
    if (one === undefined) cost += ENDS_EARLY;
    else if (segment.startsWith(':')) cost += PARAMETER;
    else if (nearestName(one, [segment]) !== undefined) cost += 1 + distance(one, segment);
    else if (cost === 0 && taken && index > 1 && index === known.length - 1) cost += OTHER_WORD;
    else return Number.POSITIVE_INFINITY;
  }
  return cost;
}
