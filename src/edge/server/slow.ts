/** The log's details of a slow request: the durations of its stages, and the names in its query. */
import type { FastifyRequest } from 'fastify';
import type { Slowness } from '../../core/observe/log.ts';
import { UNDECLARED } from '../../services/requests/names.ts';

/** From here on, a line of the log has more detail. */
export const SLOW_MS = 1_000;
const MAX_NAMES = 20;

/** `undefined` for what was not slow. */
export function slownessOf(
  { timing, route, url }: FastifyRequest,
  elapsedMs: number,
): Slowness | undefined {
  if (elapsedMs < SLOW_MS) return undefined;
  const { paramMask } = route.config ?? {};
  const query = new Set<string>();
  const [, text = ''] = url.split('?', 2);
  for (const name of new URLSearchParams(text).keys()) {
    if (query.size === MAX_NAMES) break;
    // A nested parameter is written with dots: inserted_at[gte] is inserted_at.gte.
    query.add(paramMask?.(name.replaceAll(']', '').replaceAll('[', '.')) ?? UNDECLARED);
  }
  return { stages: timing.stages(), query: [...query] };
}
