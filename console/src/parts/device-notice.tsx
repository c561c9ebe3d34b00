/** Says where this device is otherwise than the service about time: what is shown instead is named. */
import { zones as says } from 'messages';
import { clockOff } from '../clock.ts';
import { locale } from '../messages.ts';
import { lackedZones } from '../places/zones.ts';
import { cityOf } from '../values/format.ts';

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** "3 hours", in the largest unit of which there are two. */
function lengthText(ms: number): string {
  const [unit, of] = UNITS.find(([, one]) => ms >= 2 * one) ?? (['minute', 60_000] as const);
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' });
  return format.format(Math.round(ms / of));
}

export function DeviceNotice(): JSX.Element {
  const places = lackedZones.value;
  const off = clockOff.value;
  return (
    <>
      {places.length > 0 && (
        <div class="zone-notice">
          <p>{says.lacked(places.map(cityOf).join(', '))}</p>
        </div>
      )}
      {off !== 0 && (
        <div class="zone-notice" role="status">
          <p>{says.off({ by: lengthText(Math.abs(off)), way: off > 0 ? 'ahead' : 'behind' })}</p>
        </div>
      )}
    </>
  );
}
