import { randomBytes, X509Certificate } from 'node:crypto';
import type { Actor } from '../../domain/accounts/account.ts';
import { validateServiceUrl } from '../../domain/addresses/url-validation.ts';
import { DEFAULT_REMOTE_USER } from '../../domain/defaults.ts';
import { AppError, invalidBody } from '../../domain/errors.ts';
import type { RecordName } from '../../domain/record-name.ts';
import { toRecordName } from '../../domain/record-name.ts';
import type { Secret } from '../../domain/secret.ts';
import { utcTime } from '../../domain/timestamp.ts';
import { plural } from '../../lib/text/plural.ts';
import { unknownCluster } from '../clusters/read-clusters.ts';
import { readPublicKey } from '../identity/read-identity.ts';
import type { Ports } from '../ports.ts';
import type { TokenLimits } from '../tokens/create-token.ts';
import { createToken } from '../tokens/create-token.ts';
import type { LegacyLogin } from './legacy-problem.ts';
import { legacyProblem } from './legacy-problem.ts';
import { renderUserData } from './render-user-data.ts';

export interface UserDataRequest {
  readonly cluster: RecordName;
  /** Where hosts find the service; `undefined`: as the configuration says. */
  readonly url: string | undefined;
  readonly ca: string | undefined;
  readonly remoteUser: string | undefined;
  readonly limits: TokenLimits;
  readonly legacy: LegacyLogin | undefined;
}

export interface MadeUserData {
  readonly script: string;
  /** The name of the token in it; `undefined` in the old way. */
  readonly token: RecordName | undefined;
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

/** Nothing but certificates: in files of others there may be a private key beside them. */
function areCertificates(pem: string): boolean {
  const certificates = pem.match(CERTIFICATE) ?? [];
  const rest = pem.replace(CERTIFICATE, '');
  try {
    return certificates.every(each => new X509Certificate(each)) && !rest.includes('-----');
  } catch {
    return false;
  }
}

/** What is around them, such as what they are called, stays out. */
const certificatesIn = (pem: string): string => (pem.match(CERTIFICATE) ?? []).join('\n');

function requestProblem({ ca }: UserDataRequest, url: string | undefined): AppError | undefined {
  if (url === undefined)
    return invalidBody({ path: '/url', message: 'is required, because the setting public_url is not set' });
  const problem = validateServiceUrl(url);
  if (problem) return invalidBody({ path: '/url', message: problem });
  if (ca && (certificatesIn(ca) === '' || !areCertificates(ca)))
    return invalidBody({ path: '/ca', message: 'must contain only PEM certificates' });
  return undefined;
}

interface Login {
  readonly login: string;
  readonly password: Secret;
  readonly token: RecordName | undefined;
  readonly notes: readonly string[];
}

async function tokenFor(ports: Ports, actor: Actor, request: UserDataRequest): Promise<Login | AppError> {
  const { cluster, limits } = request;
  const name = toRecordName(`user-data-${randomBytes(6).toString('hex')}`);
  const made = await createToken(ports, actor, { name, cluster, ...limits });
  if (made instanceof AppError) return made;
  const { record, secret } = made;
  if (secret === undefined) throw new Error(`the token ${name} already exists`);
  const { uses, expiresAt, network } = record.token;
  const from = network === null ? '' : ` from ${network}`;
  const limit = `${plural(uses, 'host')}${from}, until ${utcTime(expiresAt)}`;
  return {
    login: 'token',
    password: secret,
    token: name,
    notes: [`Contains the enrolment token ${name}, valid for ${limit}.`],
  };
}

const legacyLogin = ({ account, password }: LegacyLogin): Login => ({
  ...{ login: account, password, token: undefined },
  notes: [`Contains the password of the account ${account}.`],
});

/** Makes a script by which hosts enrol themselves into a cluster, and a token for it. */
export async function makeUserData(
  ports: Ports,
  actor: Actor,
  request: UserDataRequest,
): Promise<MadeUserData | AppError> {
  const { cluster, legacy, remoteUser = DEFAULT_REMOTE_USER, ca = '' } = request;
  const url = request.url ?? ports.publicUrl;
  const problem = requestProblem(request, url) ?? (legacy && (await legacyProblem(ports, legacy)));
  if (problem) return problem;
  if ((await ports.store.reads.clusters.get(cluster)) === undefined) return unknownCluster(cluster);
  const found = legacy ? legacyLogin(legacy) : await tokenFor(ports, actor, request);
  if (found instanceof AppError) return found;
  const { token, notes, ...login } = found;
  const publicKey = await readPublicKey(ports);
  const script = renderUserData({
    ...{ ...login, cluster, remoteUser, publicKey, ca: certificatesIn(ca) },
    url: (url ?? '').replace(/\/+$/, ''),
    notes: [
      `Enrols the host that runs this script into the Hostler cluster ${cluster}. Keep this script secret.`,
      ...notes,
    ],
  });
  return { script, token };
}
