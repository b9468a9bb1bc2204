import { randomBytes, X509Certificate } from 'node:crypto';
import type { Actor } from '../../domain/accounts/account.ts';
import { validateServiceUrl } from '../../domain/addresses/url-validation.ts';
import { DEFAULT_REMOTE_USER } from '../../domain/defaults.ts';
import { AppError, invalidBody } from '../../domain/errors.ts';
import type { RecordName } from '../../domain/record-name.ts';
import { isRecordName, toRecordName } from '../../domain/record-name.ts';
import type { Secret } from '../../domain/secret.ts';
import { utcTime } from '../../domain/timestamp.ts';
import { formatCount } from '../../lib/text.ts';
import type { TokenLimits } from '../accounts/enrolment-tokens.ts';
import { createToken } from '../accounts/enrolment-tokens.ts';
import { SIGNED_IN } from '../auth/password-hasher.ts';
import { clusterNotFound } from '../clusters/read-clusters.ts';
import type { Ports } from '../ports.ts';
import { readPublicKey } from '../service-info.ts';
import { renderUserData } from './render-user-data.ts';

/** For enrolment without a token. */
interface LegacyLogin {
  readonly account: string;
  readonly password: Secret;
}

/** Runs before many hosts boot with the password. */
async function validateLegacyLogin(
  { store, hasher }: Pick<Ports, 'store' | 'hasher'>,
  { account: name, password }: LegacyLogin,
): Promise<AppError | undefined> {
  const account = isRecordName(name) ? await store.reads.accounts.get(name) : undefined;
  if (account === undefined)
    return invalidBody({ path: '/legacy/account', message: 'must be the name of an existing account' });
  if (account.role === 'viewer')
    return invalidBody({ path: '/legacy/account', message: 'must have a role that can enrol hosts, preferably enrol' });
  // The script passes the password to curl or python3 as one line.
  if (/\p{Cc}/u.test(password.reveal()))
    return invalidBody({ path: '/legacy/password', message: 'must be one line without control characters' });
  const isCorrect = await hasher.verify(account.passwordHash, password, SIGNED_IN);
  if (isCorrect instanceof AppError) return isCorrect;
  return isCorrect
    ? undefined
    : invalidBody({ path: '/legacy/password', message: 'is not the password of the account' });
}

export interface UserDataRequest {
  readonly cluster: RecordName;
  /** The URL at which hosts reach the service. Undefined: the setting `public_url`. */
  readonly url: string | undefined;
  readonly ca: string | undefined;
  readonly remoteUser: string | undefined;
  readonly limits: TokenLimits;
  readonly legacy: LegacyLogin | undefined;
}

export interface UserDataResult {
  readonly script: string;
  /** Undefined for a legacy login. */
  readonly token: RecordName | undefined;
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

/** Rejects other PEM blocks, because the file may contain a private key. */
function areCertificates(pem: string): boolean {
  const certificates = pem.match(CERTIFICATE) ?? [];
  const rest = pem.replace(CERTIFICATE, '');
  try {
    return certificates.every(certificate => new X509Certificate(certificate)) && !rest.includes('-----');
  } catch {
    return false;
  }
}

/** Drops text around the certificates, such as names. */
const extractCertificates = (pem: string): string => (pem.match(CERTIFICATE) ?? []).join('\n');

function validateUserDataRequest({ ca }: UserDataRequest, url: string | undefined): AppError | undefined {
  if (url === undefined)
    return invalidBody({ path: '/url', message: 'is required, because the setting public_url is not set' });
  const urlError = validateServiceUrl(url);
  if (urlError) return invalidBody({ path: '/url', message: urlError });
  if (ca && (extractCertificates(ca) === '' || !areCertificates(ca)))
    return invalidBody({ path: '/ca', message: 'must contain only PEM certificates' });
  return undefined;
}

interface ScriptLogin {
  readonly login: string;
  readonly password: Secret;
  readonly token: RecordName | undefined;
  readonly notes: readonly string[];
}

async function createTokenLogin(ports: Ports, actor: Actor, request: UserDataRequest): Promise<ScriptLogin | AppError> {
  const { cluster, limits } = request;
  const name = toRecordName(`user-data-${randomBytes(6).toString('hex')}`);
  const created = await createToken(ports, actor, { name, cluster, ...limits });
  if (created instanceof AppError) return created;
  const { record, secret } = created;
  if (secret === undefined) throw new Error(`the token ${name} already exists`);
  const { uses, expiresAt, network } = record.token;
  const networkText = network === null ? '' : ` from ${network}`;
  const limitText = `${formatCount(uses, 'host')}${networkText}, until ${utcTime(expiresAt)}`;
  return {
    login: 'token',
    password: secret,
    token: name,
    notes: [`Contains the enrolment token ${name}, valid for ${limitText}.`],
  };
}

const toLegacyLogin = ({ account, password }: LegacyLogin): ScriptLogin => ({
  login: account,
  password,
  token: undefined,
  notes: [`Contains the password of the account ${account}.`],
});

export async function makeUserData(
  ports: Ports,
  actor: Actor,
  request: UserDataRequest,
): Promise<UserDataResult | AppError> {
  const { cluster, legacy, remoteUser = DEFAULT_REMOTE_USER, ca = '' } = request;
  const url = request.url ?? ports.publicUrl;
  const error = validateUserDataRequest(request, url) ?? (legacy && (await validateLegacyLogin(ports, legacy)));
  if (error) return error;
  if ((await ports.store.reads.clusters.get(cluster)) === undefined) return clusterNotFound(cluster);
  const scriptLogin = legacy ? toLegacyLogin(legacy) : await createTokenLogin(ports, actor, request);
  if (scriptLogin instanceof AppError) return scriptLogin;
  const { token, notes, ...login } = scriptLogin;
  const publicKey = await readPublicKey(ports);
  const script = renderUserData({
    ...login,
    cluster,
    remoteUser,
    publicKey,
    ca: extractCertificates(ca),
    url: (url ?? '').replace(/\/+$/, ''),
    notes: [
      `Enrols the host that runs this script into the Hostler cluster ${cluster}. Keep this script secret.`,
      ...notes,
    ],
  });
  return { script, token };
}
