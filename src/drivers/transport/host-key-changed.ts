import { fingerprintOf } from '../../domain/hosts/host-key.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';

/** The answer to a host that shows a key that was not given. */
export function hostKeyChanged(shown: string): TransportFailure {
  const detail = `the host presented the key ${fingerprintOf(shown)}, which is not one of its known keys`;
  return new TransportFailure('host_key_changed', detail, shown);
}
