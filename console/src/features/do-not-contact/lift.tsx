/** Lifts an entry of the register, after a question. */
import { doNotContact as says } from 'messages';
import type { DoNotContact } from '../../../../client/src/generated/objects.d.ts';
import * as bounds from '../../generated/bounds.ts';
import { useActions } from '../../parts/actions.tsx';
import { api } from '../../service/api.ts';

export function useLift(onDone: () => void) {
  const { dialog, fault, ask } = useActions();
  const lift = ({ unique_identifier: id }: DoNotContact): void =>
    ask({
      title: says.liftSure,
      hint: says.liftHint,
      submit: says.lift,
      danger: true,
      bounds: bounds.lift_do_not_contact,
      begin: { reason: '' },
      fields: {
        reason: {
          label: says.liftReason,
          placeholder: says.liftPlaceholder,
          of: 'lines',
          needed: true,
        },
      },
      send: ({ reason }) => api.do_not_contact.lift(id, reason),
      said: says.liftDone,
      onDone,
    });
  return { dialog, fault, lift };
}
