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
    `the host ${address} is reached by the service's own key, which is never told; give it one of its own by: hostler host creds ${address} --set KEYFILE`,
  );

/** From its first byte on nobody else may read it, and nothing is written over. */
function writeKey(file: string, key: Buffer): void {
  try {
    writeFileSync(file, key, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const isThere = errorCode(error) === 'EEXIST';
    throw usageProblem(
      isThere
        ? `${file} is there already; name another file`
        : `${file} cannot be written (${errorCode(error)})`,
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
  await print.done(`host ${address} has new credentials; they were tried and work`, {
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
    throw usageProblem('--set replaces the key and --key-out reads it; do one after the other');
  if (set !== undefined) return replace(session, address, set, remoteUser);
  if (remoteUser !== undefined)
    throw usageProblem('--remote-user goes with --set: credentials are replaced as a whole');
  const { body: value } = await client.getHostCreds({ address });
  const key = Buffer.from(value.ssh_priv_key, 'base64');
  if (keyOut !== undefined) {
    if (key.length === 0) throw ownKeyProblem(address);
    if (keyOut === '-') {
      terminal.write(key.toString('latin1'));
      return;
    }
    writeKey(keyOut, key);
    terminal.tell(`the private key of ${address} is in ${keyOut}, which only you may read\n`);
    return;
  }
  const keyText =
    key.length === 0
      ? "the service's own, which is never told"
      : `${key.length} bytes; --key-out FILE writes them to a file, -o json shows them in base64`;
  await print.show({
    value,
    name: address,
    fields: [
      { label: 'user', text: value.remote_user },
      { label: 'key', text: keyText },
    ],
  });
}
