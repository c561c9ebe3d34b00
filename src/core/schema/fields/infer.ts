/** The static types of bodies, from the declarations. */
import type { Field, Kind } from './kind.ts';
import type { Members } from './members.ts';

/** The type of a kind's values. */
export type ValueOf<K> = K extends Kind<infer T> ? T : never;

type RequiredNames<M extends Members> = {
  [N in keyof M]: M[N] extends Field<unknown, true> ? N : never;
}[keyof M];

/** The JSON body of an upsert with these members: `null` removes an optional member. */
export type ParamsOf<M extends Members> = {
  [N in RequiredNames<M>]: ValueOf<M[N]['kind']>;
} & {
  [N in Exclude<keyof M, RequiredNames<M>>]?: ValueOf<M[N]['kind']> | null;
};
