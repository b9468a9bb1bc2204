import type { AppError } from '../../domain/errors.ts';
import { appErrorFromFields } from '../../domain/errors.ts';
import type { Secret } from '../../domain/secret.ts';
import type { Ports } from '../ports.ts';

/** Why a private key in base64 cannot be used, if so; there is nothing wrong with none. */
export function privateKeyRefusal(
  { privateKeyProblem }: Ports,
  sshPrivKey: Secret | undefined,
): AppError | undefined {
  const problem = sshPrivKey && privateKeyProblem(sshPrivKey.reveal());
  if (problem === undefined) return undefined;
  return appErrorFromFields('invalid_private_key', [{ path: '/ssh_priv_key', message: problem }], 'the body');
}
