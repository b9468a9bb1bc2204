import type { EnrolmentRequest } from '../../app/hosts/enrolment-request.ts';
import type { BodyOf } from '../../contract/route.ts';
import type { hostRoutes } from '../../contract/routes/hosts.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { toRecordName } from '../../domain/record-name.ts';
import { Secret } from '../../domain/secret.ts';

/** Only who is let in by a token may leave the key out, and only the use case knows who that is. */
type EnrolBody = Omit<BodyOf<(typeof hostRoutes)['enrolSelf']>, 'address' | 'host'>;

/** What was sent to enrol a host, in our words. */
export const enrolRequestOf = (address: Address, body: EnrolBody): EnrolmentRequest => ({
  address,
  sshPrivKey: body.ssh_priv_key === undefined ? undefined : new Secret(body.ssh_priv_key),
  remoteUser: body.remote_user,
  sshPort: body.ssh_port,
  hostKeys: body.host_keys,
  transport: body.transport,
  cluster: body.cluster ? toRecordName(body.cluster) : undefined,
  source: body.source,
});
