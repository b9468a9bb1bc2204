import { writeFileSync } from 'node:fs';
import { errorCode } from '../../../lib/errors.ts';
import { sanitizeLine } from '../../../lib/sanitize.ts';
import { getHostKeyPath } from '../../../sdk/format.ts';
import { rejectedError, usageError } from '../../errors.ts';
import { confirm } from '../../input/prompts.ts';
import type { NamedHost } from '../../resolve-hosts.ts';
import { resolveHost } from '../../resolve-hosts.ts';
import type { Session } from '../../session.ts';
import { readPrivateKeyFile } from './key-files.ts';

interface CredsOptions {
  readonly keyOut?: string;
  readonly set?: string;
  readonly remoteUser?: string;
}

export const serviceKeyError = (address: string): Error =>
  rejectedError(
    `host ${address} uses the key of the server, which cannot be exported. Set another key with: hostler host creds ${address} --set KEYFILE`,
  );

/** Creates the file with mode 0600 and never overwrites a file. */
function writeKey(file: string, key: Buffer): void {
  try {
    writeFileSync(file, key, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const exists = errorCode(error) === 'EEXIST';
    throw usageError(
      exists ? `${file} already exists. Use another file` : `cannot write ${file} (${errorCode(error)})`,
    );
  }
}

export async function creds({ client, printer, terminal }: Session, options: CredsOptions, name: string) {
  const { keyOut, set, remoteUser } = options;
  if (set !== undefined && keyOut !== undefined)
    throw usageError('--set and --key-out cannot be combined: --set replaces the key, --key-out reads it');
  if (set === undefined && remoteUser !== undefined) throw usageError('--remote-user requires --set');
  const { address, displayName } = await resolveHost(client, name);
  if (set !== undefined) {
    const credentials = { ssh_priv_key: readPrivateKeyFile(set, terminal), remote_user: remoteUser };
    const { body: record } = await client.putHostCreds({ address, body: credentials });
    return printer.printResult(`credentials of host ${displayName} tested and replaced`, record, address);
  }
  const { body: value } = await client.getHostCreds({ address });
  const key = Buffer.from(value.ssh_priv_key, 'base64');
  if (keyOut !== undefined) {
    if (key.length === 0) throw serviceKeyError(address);
    if (keyOut === '-') return terminal.writeOut(key.toString('latin1'));
    writeKey(keyOut, key);
    return terminal.writeErr(`private key of host ${displayName} written to ${keyOut}, mode 0600\n`);
  }
  const keyText =
    key.length === 0
      ? 'key of the server, which cannot be exported'
      : `${key.length} bytes; write it to a file with --key-out FILE, or print it in base64 with -o json`;
  await printer.printRecord(value, address, [
    ['user', value.remote_user],
    ['key', keyText],
  ]);
}

/** A host key is accepted only after the user has compared its fingerprint. */
async function promptForFingerprint(
  { client, terminal }: Session,
  { address, displayName }: NamedHost,
): Promise<string> {
  const { body } = await client.getHostStatus({ address });
  const pendingKey = body.host.pending_host_key;
  if (pendingKey === undefined) throw rejectedError(`host ${displayName} has no pending host key`);
  const fingerprint = sanitizeLine(pendingKey.fingerprint);
  const summary = `Host ${displayName} has a pending host key: ${sanitizeLine(pendingKey.type)} ${fingerprint}`;
  const instructions = `Compare the fingerprint with the output of this command on the console of the host: ssh-keygen -lf ${getHostKeyPath(pendingKey.type)}`;
  if (!terminal.canPrompt)
    throw usageError(
      `${summary}\n${instructions}\nIf it is the same, run: hostler host accept-key ${address} ${fingerprint}`,
    );
  terminal.writeErr(`${summary}\n${instructions}\n`);
  await confirm(terminal, 'Accept the pending host key?', undefined);
  return fingerprint;
}

export async function acceptKey(session: Session, _options: object, name: string, givenFingerprint?: string) {
  const host = await resolveHost(session.client, name);
  const { address, displayName } = host;
  const fingerprint = givenFingerprint ?? (await promptForFingerprint(session, host));
  const { body: value } = await session.client.acceptHostKey({ address, body: { fingerprint } });
  const message = `host key ${fingerprint} of host ${displayName} accepted, bootstrap restarted`;
  await session.printer.printResult(message, value, address);
}
