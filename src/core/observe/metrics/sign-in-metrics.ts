/** The metric of people who sign in. */
import type { Registry } from 'prom-client';
import type { SignInObserver } from '../observers.ts';
import { metricsIn } from './collectors.ts';

const METHODS = ['password', 'passkey', 'single_sign_on'];
const OUTCOMES = ['succeeded', 'failed', 'limited'];

export function observeSignIns(registry: Registry): SignInObserver {
  const counts = new Map<string, number>(
    METHODS.flatMap((method) => OUTCOMES.map((outcome) => [`${method} ${outcome}`, 0] as const)),
  );
  metricsIn(registry).counter(
    'ledgerstone_sign_ins_total',
    'Sign-ins of people to the console; outcome is succeeded, failed, or limited where too many had failed.',
    () =>
      METHODS.flatMap((method) =>
        OUTCOMES.map((outcome) => ({
          labels: { method, outcome },
          value: counts.get(`${method} ${outcome}`) ?? 0,
        })),
      ),
  );
  return {
    signedIn(method, outcome) {
      const name = `${method} ${outcome}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    },
  };
}
