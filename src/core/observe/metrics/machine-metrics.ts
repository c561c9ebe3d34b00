/** Metrics of the environment of the service: its store, disks and certificate. */
import type { Registry } from 'prom-client';
import type { MachineObserver, MachineView } from '../observers.ts';
import { by, metricsIn } from './collectors.ts';

const MS_PER_SECOND = 1000;

export function observeMachine(registry: Registry): MachineObserver {
  const { gauge } = metricsIn(registry);
  let view: MachineView | undefined;
  const disks = async (which: 'free' | 'size') => {
    const all = [...((await view?.disks()) ?? [])];
    return by(
      'disk',
      all.map(([disk, room]) => [disk, room[which]]),
    );
  };

  gauge(
    'ledgerstone_ready',
    'Whether the store accepts writes now, as /readyz finds out: 1 or 0.',
    async () => ((await view?.isReady()) ? 1 : 0),
    'min',
  );
  gauge(
    'ledgerstone_disk_free_bytes',
    'Free bytes of the disk that holds the store or the folder of BACKUP_TO.',
    () => disks('free'),
  );
  gauge('ledgerstone_disk_size_bytes', 'The size of that disk.', () => disks('size'));
  gauge(
    'ledgerstone_certificate_expires_timestamp_seconds',
    'When the certificate expires that connections are encrypted with; 0 without one.',
    () => (view?.certificateUntil() ?? 0) / MS_PER_SECOND,
    'min',
  );
  return {
    watch(given) {
      view = given;
    },
  };
}
