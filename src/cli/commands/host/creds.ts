import { writeFileSync } from 'node:fs';
import { errorCode } from '../../../lib/errors/error-code.ts';
import { EXIT } from '../../../program/exit-codes.ts';
import { CliProblem, usageProblem } from '../../cli-problem.ts';
import type { Session } from '../../session.ts';
import { readPrivateKeyFile } from '../../ssh/private-key-file.ts';

interface CredsOptions {
  readonly keyOut?: string;
  readonly set?: string;
  readonly remoteUser?: string;
}

export const ownKeyProblem = (address: string): CliProblem =>
  new CliProblem(
    EXIT.refused,
    `host ${address} uses the key of the server, which cannot be exported. Set another key with: hostler host creds ${address} --set KEYFILE`,
  );

/** From its first byte on nobody else may read it, and nothing is written over. */
function writeKey(file: string, key: Buffer): void {
  try {
    writeFileSync(file, key, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const isThere = errorCode(error) === 'EEXIST';
    throw usageProblem(
      isThere ? `${file} already exists. Use another file` : `cannot write ${file} (${errorCode(error)})`,
    );
  }
}

async function replace(
  { client, print, terminal }: Session,
  address: string,
  keyFile: string,
  remoteUser: string | undefined,
) {
  const body = {
    ssh_priv_key: readPrivateKeyFile(keyFile, terminal),
    ...(remoteUser !== undefined && { remote_user: remoteUser }),
  };
  const { body: value } = await client.putHostCreds({ address, body });
  await print.done(`credentials of host ${address} tested and replaced`, {
    value,
    name: address,
  });
}

export async function creds(
  session: Session,
  { keyOut, set, remoteUser }: CredsOptions,
  address: string,
): Promise<void> {
  const { client, print, terminal } = session;
  if (set !== undefined && keyOut !== undefined)
    throw usageProblem('--set and --key-out cannot be combined: --set replaces the key, --key-out reads it');
  if (set !== undefined) return replace(session, address, set, remoteUser);
  if (remoteUser !== undefined) throw usageProblem('--remote-user requires --set');
  const { body: value } = await client.getHostCreds({ address });
  const key = Buffer.from(value.ssh_priv_key, 'base64');
  if (keyOut !== undefined) {
    if (key.length === 0) throw ownKeyProblem(address);
    if (keyOut === '-') {
      terminal.write(key.toString('latin1'));
      return;
    }
    writeKey(keyOut, key);
    terminal.tell(`private key of host ${address} written to ${keyOut}, mode 0600\n`);
    return;
  }
  const keyText =
    key.length === 0
      ? 'key of the server, which cannot be exported'
      : `${key.length} bytes; write it to a file with --key-out FILE, or print it in base64 with -o json`;
  await print.show({
    value,
    name: address,
    fields: [
      { label: 'user', text: value.remote_user },
      { label: 'key', text: keyText },
    ],
  });
}
