import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { harmless } from '../../lib/harmless.ts';
import { messageOf } from '../../lib/message-of.ts';
import type { CommandLine, CommonOptions } from '../command-line.ts';
import { usageProblem } from '../exit-codes.ts';
import { readSecret } from '../read-secret.ts';
import type { Session } from '../session.ts';
import type { TokenLimits } from './token-limits.ts';
import { tokenLimits, withTokenLimits } from './token-limits.ts';

interface UserDataOptions extends TokenLimits, CommonOptions {
  readonly url?: string;
  readonly remoteUser?: string;
  readonly legacy?: true;
  readonly account?: string;
  readonly passwordStdin?: true;
}

function readCertificates(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw usageProblem(`${file} cannot be read: ${messageOf(error)}`);
  }
}

async function readLegacy({ terminal }: Session, { legacy, account, passwordStdin }: UserDataOptions) {
  if (!legacy && account === undefined) return undefined;
  if (!legacy || account === undefined) throw usageProblem('the old way takes both: --legacy --account NAME');
  const password = await readSecret(terminal, {
    what: `password of ${account}`,
    flag: '--password-stdin',
    isOnInput: passwordStdin === true,
  });
  return { account, password };
}

/** The script is all that goes to the standard output, as it is. */
async function userData(session: Session, options: UserDataOptions, cluster: string): Promise<void> {
  const { url, remoteUser, caFile } = options;
  const legacy = await readLegacy(session, options);
  const { body, headers } = await session.client.putUserData({
    name: cluster,
    body: {
      ...tokenLimits(options),
      ...(url !== undefined && { url }),
      ...(caFile !== undefined && { ca: readCertificates(caFile) }),
      ...(remoteUser !== undefined && { remote_user: remoteUser }),
      ...(legacy && { legacy }),
    },
  });
  const token = headers.get('hostler-token');
  session.terminal.tell(
    token === null
      ? 'This script holds a password: whoever can read it has it.\n'
      : `This script holds the token ${harmless(token)}: whoever can read it may enrol hosts while it is good.\n`,
  );
  session.terminal.write(body);
}

export function addUserDataCommands(program: Command, cli: CommandLine): void {
  withTokenLimits(
    program
      .command('user-data')
      .description('a script for cloud-init by which hosts enrol themselves into a cluster')
      .argument('<cluster>', 'that they join'),
  )
    .option('--url <url>', 'where hosts find the service; else as it is configured (public_url)')
    .option('--remote-user <name>', 'as whom the service logs in (default: root)')
    .option('--legacy', 'the old way: with an account and its password instead of a token')
    .option('--account <name>', 'with --legacy: the account, best one with the role enrol')
    .option('--password-stdin', 'with --legacy: read its password from the standard input')
    .addHelpText(
      'after',
      `
Each call makes a new token. Certificates named by --ca-file are put into the script as well.

  hostler user-data web --uses 20 --expires 2h --cidr 10.0.0.0/8 > user-data
`,
    )
    .action(cli.withSession(userData));
}
