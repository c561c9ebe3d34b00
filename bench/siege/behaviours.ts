/** All that one key may do to the others. Each goes on until its process is ended. */
import { readers } from './readers.ts';
import type { Behaviour } from './requests.ts';
import { writers } from './writers.ts';

export const behaviours: Readonly<Record<string, Behaviour>> = { ...writers, ...readers };
