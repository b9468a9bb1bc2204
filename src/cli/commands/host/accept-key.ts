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
  if (offered === undefined)
    throw new CliProblem(EXIT.refused, `the host ${address} has no new host key to accept`);
  const fingerprint = harmless(offered.fingerprint);
  const shown = `${address} shows the key ${harmless(offered.type)} ${fingerprint}`;
  const compare = `at the host itself, ssh-keygen -lf ${keyFileOf(offered.type)} must say the same`;
  if (!terminal.canAsk)
    throw usageProblem(`${shown}; ${compare}. Then: hostler host accept-key ${address} ${fingerprint}`);
  terminal.tell(`${shown};\n${compare}.\n`);
  await confirm(terminal, 'Accept it?', undefined);
  return fingerprint;
}

export async function acceptKey(session: Session, _options: object, address: string, given?: string) {
  const fingerprint = given ?? (await askedFingerprint(session, address));
  const { body: value } = await session.client.acceptHostKey({ address, body: { fingerprint } });
  await session.print.done(`the host ${address} is known by ${fingerprint} now, and begins anew`, {
    value,
    name: address,
  });
}
