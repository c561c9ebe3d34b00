/** Writes the list of what features serve: each is loaded when it is wanted. */
import type { Feature } from './feature.ts';

const loads = ({ folder }: Feature): string =>
  `(await import(${JSON.stringify(`./${folder}/serves.ts`)}))`;

export function servesText(them: readonly Feature[]): string {
  const checks = them.filter(({ exports }) => exports('check'));
  const each = (value: (one: Feature) => string): string =>
    them.map((one) => `${one.name}: ${value(one)}, `).join('');
  return `import type { ServeParts } from '../services/served.ts';

    export const featureChecks: readonly ((parts: ServeParts) => Promise<void>)[] = [${checks.map((one) => `async (parts) => ${loads(one)}.check(parts)`).join()}];
    /** Each serves one feature, by its name. */
    export const featureServes = {${each((one) => `async (parts: ServeParts) => ${loads(one)}.serve(parts)`)}};
    export const serveFeatures = async (${them.length === 0 ? '_' : ''}parts: ServeParts) => ({${each(({ name }) => `await featureServes.${name}(parts)`)}});

    type Features = Awaited<ReturnType<typeof serveFeatures>>;
    export type FeatureServices = ReturnType<typeof servicesOf>;
    export const servicesOf = (${them.length === 0 ? '_' : ''}features: Features) => ({${each(({ name }) => `features.${name}.service`)}});`;
}
