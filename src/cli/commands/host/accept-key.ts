import { keyFileOf } from '../../../client/key-file-of.ts';
import { harmless } from '../../../lib/text/harmless.ts';
import { EXIT } from '../../../program/exit-codes.ts';
import { CliProblem, usageProblem } from '../../cli-problem.ts';
import { confirm } from '../../confirm.ts';
import type { Session } from '../../session.ts';

/** What a person is shown to compare: a key is never accepted unseen. */
async function askedFingerprint({ client, terminal }: Session, address: string): Promise<string> {
  const { body } = await client.getHostStatus({ address });
  const offered = body.host.pending_host_key;
  if (offered === undefined) throw new CliProblem(EXIT.refused, `host ${address} has no pending host key`);
  const fingerprint = harmless(offered.fingerprint);
  const shown = `Host ${address} has a pending host key: ${harmless(offered.type)} ${fingerprint}`;
  const compare = `Compare the fingerprint with the output of this command on the console of the host: ssh-keygen -lf ${keyFileOf(offered.type)}`;
  if (!terminal.canAsk)
    throw usageProblem(
      `${shown}\n${compare}\nIf it is the same, run: hostler host accept-key ${address} ${fingerprint}`,
    );
  terminal.tell(`${shown}\n${compare}\n`);
  await confirm(terminal, 'Accept the pending host key?', undefined);
  return fingerprint;
}

export async function acceptKey(session: Session, _options: object, address: string, given?: string) {
  const fingerprint = given ?? (await askedFingerprint(session, address));
  const { body: value } = await session.client.acceptHostKey({ address, body: { fingerprint } });
  await session.print.done(`host key ${fingerprint} of host ${address} accepted, bootstrap restarted`, {
    value,
    name: address,
  });
}
