import type { TokenLimits } from '../../app/accounts/enrolment-tokens.ts';
import type { HostListQuery } from '../../app/hosts/read-hosts.ts';
import type { EnrolmentRequest } from '../../app/hosts/validate-enrolment.ts';
import type { BodyOf, QueryOf } from '../../contract/route-definition.ts';
import type { hostRoutes } from '../../contract/routes/hosts.ts';
import type { tokenRoutes } from '../../contract/routes/tokens.ts';
import { TOKEN_DEFAULTS } from '../../contract/routes/tokens.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { ADDRESS_MESSAGE, parseAddress } from '../../domain/addresses/address.ts';
import type { AppError } from '../../domain/errors.ts';
import { appErrorFromFields } from '../../domain/errors.ts';
import { parseLabelFilter } from '../../domain/hosts/host.ts';
import { toRecordName } from '../../domain/record-name.ts';
import { Secret } from '../../domain/secret.ts';

/** The key is optional here. The use case requires it unless the client uses a token. */
type EnrolBody = Omit<BodyOf<(typeof hostRoutes)['enrolSelf']>, 'address' | 'host'>;

export const toEnrolmentRequest = (address: Address, body: EnrolBody): EnrolmentRequest => ({
  address,
  sshPrivKey: body.ssh_priv_key === undefined ? undefined : new Secret(body.ssh_priv_key),
  remoteUser: body.remote_user,
  sshPort: body.ssh_port,
  hostKeys: body.host_keys,
  transport: body.transport,
  cluster: body.cluster ? toRecordName(body.cluster) : undefined,
  source: body.source,
});

/** Returns undefined if the query has no host. */
export function parseHostParameter({ host }: { readonly host?: string }): Address | undefined | AppError {
  if (host === undefined) return undefined;
  const error = { path: '/host', message: ADDRESS_MESSAGE };
  return parseAddress(host) ?? appErrorFromFields('invalid_query', [error], 'the query');
}

type HostFilters = Pick<QueryOf<(typeof hostRoutes)['listHosts']>, 'cluster' | 'label' | 'os' | 'status'>;

export const toHostListQuery = ({ status, os, cluster, label = [] }: HostFilters): HostListQuery => ({
  status,
  os,
  cluster: cluster === '' ? null : cluster,
  labels: [label].flat().map(parseLabelFilter),
});

type LimitsBody = Pick<BodyOf<typeof tokenRoutes.putToken>, 'cidr' | 'uses' | 'expires_in_s'>;

export function toTokenLimits(body: LimitsBody): TokenLimits {
  const { cidr, uses, expires_in_s: expiresInS } = { ...TOKEN_DEFAULTS, ...body };
  return { cidr, uses, expiresInS };
}
