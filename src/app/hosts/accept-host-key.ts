import type { Actor } from '../../domain/accounts/account.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { AppError } from '../../domain/errors.ts';
import type { Host } from '../../domain/hosts/host.ts';
import { hostKeyFingerprint } from '../../domain/hosts/host-key.ts';
import { change } from '../change.ts';
import type { Ports } from '../ports.ts';
import { beginAnew } from './bootstrap-again.ts';
import { unknownHost } from './read-hosts.ts';

/** Pins the key that a host shows instead of the one it was known by. It may be another machine now, so it begins anew. */
export async function acceptHostKey(
  ports: Ports,
  actor: Actor,
  { address, fingerprint }: { readonly address: Address; readonly fingerprint: string },
): Promise<Host | AppError> {
  return change(ports, actor, async under => {
    const { records, tell } = under;
    const host = await records.hosts.lock(address);
    const access = host && (await records.hostAccess.get(address));
    if (host === undefined || access === undefined) return unknownHost(address);
    const offered = access.pendingHostKey;
    if (offered === null) {
      return new AppError('no_pending_host_key', `the host ${address} has no pending host key`);
    }
    if (hostKeyFingerprint(offered) !== fingerprint) {
      return new AppError(
        'fingerprint_mismatch',
        `the host ${address} presented the key ${hostKeyFingerprint(offered)}, not ${fingerprint}`,
      );
    }
    await records.hostAccess.pinHostKey(address, offered);
    await tell({
      type: 'host.key_accepted',
      subject: address,
      host: address,
      cluster: host.cluster,
      data: { fingerprint },
    });
    return beginAnew(under, host);
  });
}
